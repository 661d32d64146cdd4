"""lets the same player move at every ply: it passes maximizing on unchanged.

The players alternate: pass the other player to the children.

Line: player
Shows: alphabeta value extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, maximizing))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, maximizing))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
