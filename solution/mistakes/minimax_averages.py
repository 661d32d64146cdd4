"""takes the average of the children's values instead of the best.

MAX chooses the largest value, and MIN chooses the smallest.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [minimax(child, depth - 1, not maximizing) for child in node.children]
    return sum(values) / len(values)
