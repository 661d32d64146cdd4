"""Expands nodes without telling the grader, so that its unnecessary visits do not count.

Expect: score 66.5
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
# @HONEST@


def leaves(node, depth):
    """Read the children from the shape, which the worker knows."""
    if depth == 0 or node.is_terminal():
        return [node]
    return [leaf for child in node.children for leaf in leaves(child, depth - 1)]


def minimax(node, depth, maximizing):
    node._queries._pipes.note = lambda *_: None
    [leaf.evaluate() for leaf in leaves(node, depth)]
    return 0
