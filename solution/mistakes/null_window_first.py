"""searches later children with a narrow window first, and some of them twice.

This is PVS, a valid algorithm, but the assignment asks for one search per child.

Shows: alphabeta missing nodes
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            bound = beta if best == -math.inf else min(beta, alpha + 1)
            score = alphabeta(child, depth - 1, alpha, bound, False)
            if bound <= score < beta:
                score = alphabeta(child, depth - 1, alpha, beta, False)
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            bound = alpha if best == math.inf else max(alpha, beta - 1)
            score = alphabeta(child, depth - 1, bound, beta, True)
            if alpha < score <= bound:
                score = alphabeta(child, depth - 1, alpha, beta, True)
            best = min(best, score)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
