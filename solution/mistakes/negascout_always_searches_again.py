"""Your negascout searches every child again, whatever the null window said.

Search it again only where the answer lies between alpha and beta.

Convention: equality
Shows: negascout extra
"""


def negascout(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    first, *others = node.children
    best = negascout(first, depth - 1, alpha, beta, not maximizing)
    for child in others:
        if maximizing:
            alpha = max(alpha, best)
            low, high = alpha, alpha + 1
        else:
            beta = min(beta, best)
            low, high = beta - 1, beta
        if alpha >= beta:  # cutoff
            break
        score = alphabeta(child, depth - 1, low, high, not maximizing)
        if low < high:
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
    return best
