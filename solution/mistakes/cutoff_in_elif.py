"""tests for a cutoff only if a child did not improve the best value.

Most cutoffs follow an improvement: test in both cases, not just in the elif.

Line: else
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score > best:
                best = score
                alpha = max(alpha, best)
            elif alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score < best:
                best = score
                beta = min(beta, best)
            elif alpha >= beta:  # cutoff
                break
    return best
