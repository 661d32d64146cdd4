"""Does not define best_move.

Expect: score 80
Expect: says "search.py has no function with this name"
"""
# @HONEST@
del best_move
