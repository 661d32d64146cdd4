"""returns inside its loop, after the first child.

Move minimax's return statement after the loop.

Changes: move_by_alphabeta
Line: jump in return, indentation in return
Shows: minimax missing value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
            return best
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
            return best
    return best
