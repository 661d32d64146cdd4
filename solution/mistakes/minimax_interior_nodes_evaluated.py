"""calls evaluate() at every node, not only at leaves.

In minimax, call evaluate() only at depth 0 and at terminals.

Changes: move_by_alphabeta
Line: dropped
Shows: minimax no-leaf
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    return best
