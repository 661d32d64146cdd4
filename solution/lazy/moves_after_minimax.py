"""Minimax and alpha-beta are correct; the move is the first child, after a minimax search.

Points: 85 to 89.5
"""


def best_move(node, depth, maximizing):
    minimax(node, depth, maximizing)
    return node.children[0]
