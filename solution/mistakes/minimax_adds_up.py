"""Your minimax adds up the values of the children.

A node is worth its best child alone: the largest at MAX, the smallest at MIN.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    return sum(minimax(child, depth - 1, not maximizing) for child in node.children)
