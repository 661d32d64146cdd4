"""Raises errors that name hidden nodes as attributes, keys and modules.

Expect: score 80
Expect: says "it raised AttributeError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    names = "_".join(child.name for child in node.children)
    try:
        __import__(names)
    except ImportError:
        pass
    return getattr(node, names)
