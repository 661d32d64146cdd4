"""Gives its parameters other names.

Expect: score 100
"""
# @HONEST@

_minimax, _alphabeta, _best_move = minimax, alphabeta, best_move


def minimax(state, plies_left, is_max_turn):
    return _minimax(state, plies_left, is_max_turn)


def alphabeta(s, d, a, b, m, /):
    return _alphabeta(s, d, a, b, m)


def best_move(*arguments, **options):
    return _best_move(*arguments, **options)
