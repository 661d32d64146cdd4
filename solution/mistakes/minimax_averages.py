"""Your minimax takes the average of the children instead of the best one.

Both players choose: MAX the largest value, MIN the smallest.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [minimax(child, depth - 1, not maximizing) for child in node.children]
    return sum(values) / len(values)
