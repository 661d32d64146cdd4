"""skips the last child of every node.

Check where minimax's loop over the children ends.

Changes: move_by_alphabeta
Line: whole list
Shows: minimax missing value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children[:-1]:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children[:-1]:
            best = min(best, minimax(child, depth - 1, True))
    return best
