"""lets the root's player move again at the root's children.

The players alternate from the first ply: pass the other player at the root.

Changes: root_loop
Line: player
Shows: alphabeta value extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = search(child, depth - 1, alpha, beta, maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
