"""Minimax and alpha-beta are correct; the move is the first child.

Points: 84 to 88
"""


def best_move(node, depth, maximizing):
    return node.children[0]
