"""returns the last child's value instead of the best value.

Return the best value that the loop has found.

Line: name in return
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            best = min(best, score)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return score
