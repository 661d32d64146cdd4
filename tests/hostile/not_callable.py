"""Defines a number instead of a function.

Expect: score 80
Expect: says "it raised TypeError: 'int' object is not callable"
"""
# @HONEST@

best_move = 3
