"""Your negascout searches a better child again with the same null window.

The second search needs the open window: alpha and beta of the node.

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
        if alpha < score < beta:
            score = alphabeta(child, depth - 1, low, high, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
    return best
