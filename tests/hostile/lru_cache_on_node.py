"""Decorates its functions with lru_cache.

Expect: score 100
"""
import functools

# @HONEST@

minimax = functools.lru_cache(maxsize=None)(minimax)
alphabeta = functools.lru_cache(maxsize=None)(alphabeta)
best_move = functools.cache(best_move)
