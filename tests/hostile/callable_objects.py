"""Defines objects instead of functions: a partial, a lambda and an instance.

Expect: score 100
"""
import functools

# @HONEST@

_minimax, _alphabeta, _best_move = minimax, alphabeta, best_move


class Searcher:
    def __call__(self, node, depth, maximizing):
        return _best_move(node, depth, maximizing)


minimax = functools.partial(lambda unused, *rest: _minimax(*rest), None)
alphabeta = lambda node, depth, alpha, beta, maximizing: _alphabeta(
    node, depth, alpha, beta, maximizing)
best_move = Searcher()
