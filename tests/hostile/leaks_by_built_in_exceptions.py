"""Raises one of two built-in exceptions on each hidden tree, depending on a value.

Expect: score 82
Expect: says "raised an exception"
"""
# @HONEST@

_honest = best_move


def leaves(node):
    return [node] if node.is_terminal() else [x for c in node.children for x in leaves(c)]


def best_move(node, depth, maximizing):
    most = max(leaf.evaluate() for leaf in leaves(node))
    if most > 30_000:
        raise (FloatingPointError, BlockingIOError)[int(most) % 2](most)
    return _honest(node, depth, maximizing)
