"""searches the children by alpha-beta, so it skips leaves that it should visit.

Minimax searches every node within the depth: write it without alpha and beta.

Changes: move_by_alphabeta
Shows: minimax missing
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, -math.inf, math.inf, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, -math.inf, math.inf, True))
    return best
