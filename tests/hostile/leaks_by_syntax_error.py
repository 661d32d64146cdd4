"""Raises a SyntaxError that names a file, a line and a text of its own.

Expect: score 80
Expect: says "it raised SyntaxError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    value = minimax(node, depth, maximizing)
    raise SyntaxError(str(value), ("search.py", int(abs(value)), 1, node.children[0].name))
