"""passes depth on unchanged, so it never reaches depth 0.

In minimax, pass depth - 1 to each child.

Changes: move_by_alphabeta
Line: deeper
Shows: minimax missing no-leaf value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth, True))
    return best
