"""returns at a cutoff the value from before the child that caused it.

Return the best value, or the bound that the child reached.

Line: name in return, value at cutoff in break
Shows: alphabeta value missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score >= beta:  # cutoff
                return alpha
            best = max(best, score)
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score <= alpha:  # cutoff
                return beta
            best = min(best, score)
            beta = min(beta, best)
    return best
