"""Principal variation search: a null window only once a child has raised the bound.

Convention: equality
"""


def negascout(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best, raised = -math.inf if maximizing else math.inf, False
    for child in node.children:
        low, high = alpha, beta
        if raised and maximizing:
            high = alpha + 1
        elif raised:
            low = beta - 1
        score = negascout(child, depth - 1, low, high, not maximizing)
        if raised and alpha < score < beta:
            score = negascout(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            raised = raised or best > alpha
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            raised = raised or best < beta
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
