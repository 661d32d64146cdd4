"""takes the average of the children's values at MIN nodes, which is expectimax.

MIN plays to win, too: it chooses the smallest value.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [minimax(child, depth - 1, not maximizing) for child in node.children]
    return max(values) if maximizing else sum(values) / len(values)
