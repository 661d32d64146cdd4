"""stops at depth 1 instead of depth 0.

In minimax, evaluate when depth is 0.

Changes: move_by_alphabeta
Line: comparison, number
Shows: minimax missing no-leaf value
"""


def minimax(node, depth, maximizing):
    if depth <= 1 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    return best
