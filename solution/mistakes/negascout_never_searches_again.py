"""Your negascout takes a null window's answer for a value.

Where it lies between alpha and beta, search the child again with both.

Convention: equality
Shows: negascout value
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
        best = max(best, score) if maximizing else min(best, score)
    return best
