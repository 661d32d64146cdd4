"""Raises an exception on the line that has a value as its number.

Expect: score 80
Expect: says "it raised ValueError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    line = abs(int(minimax(node, depth, maximizing)))
    exec(compile("\n" * (line - 1) + "raise ValueError", "search.py", "exec"))
