"""sets the bound to the last child's value, not to the best value so far.

Update alpha at MAX, and beta at MIN, only when a child improves on it.

Line: better value, name in assignment
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            best = max(best, score)
            alpha = score
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            best = min(best, score)
            beta = score
            if alpha >= beta:  # cutoff
                break
    return best
