"""keeps the value that is best for the other player.

Keep the largest value where MAX moves, and the smallest where MIN moves.

Shows: alphabeta value extra missing
Line: nothing, choice, player, comparison
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if not maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, True))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, False))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
