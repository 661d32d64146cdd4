"""Expands nodes without telling the grader, so that its unnecessary visits do not count.

Expect: score 80
Expect: says "it used a node that it had not received and was stopped"
"""
# @HONEST@


def leaves(node, depth):
    """Read the children from the shape, which the worker knows."""
    if depth == 0 or node.is_terminal():
        return [node]
    queries = node._queries
    below = [type(node)(queries, *child) for child in queries._children[node._key]]
    return [leaf for child in below for leaf in leaves(child, depth - 1)]


def best_move(node, depth, maximizing):
    [leaf.evaluate() for leaf in leaves(node, depth)]
    return node.children[0]
