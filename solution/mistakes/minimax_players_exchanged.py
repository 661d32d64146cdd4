"""minimizes at MAX nodes and maximizes at MIN nodes.

In minimax, check which branch runs when maximizing is True.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if not maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, True))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, False))
    return best
