"""returns the best value from before the child that caused the cutoff.

First update the best value with the child's value, then stop.

Line: order
Shows: alphabeta value missing
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score >= beta:  # cutoff
                return best
            best = max(best, score)
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score <= alpha:  # cutoff
                return best
            best = min(best, score)
            beta = min(beta, best)
    return best
