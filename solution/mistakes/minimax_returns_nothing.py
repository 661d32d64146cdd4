"""ends without returning its value.

Return the best value at the end of minimax.

Changes: move_by_alphabeta
Line: result returned, missing return
Shows: minimax raised type
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    best  # noqa: B018
