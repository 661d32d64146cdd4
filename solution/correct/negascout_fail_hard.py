"""NegaScout as negamax, fail-hard: alpha is the best so far, and null windows are one wide.

Convention: equality
"""


def negascout(node, depth, alpha, beta, maximizing):
    if maximizing:
        return scout(node, depth, alpha, beta, True)
    return -scout(node, depth, -beta, -alpha, False)


def scout(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    bound = beta
    for child in node.children:
        score = -scout(child, depth - 1, -bound, -alpha, not maximizing)
        if alpha < score < beta and bound != beta:
            score = -scout(child, depth - 1, -beta, -alpha, not maximizing)
        alpha = max(alpha, score)
        if alpha >= beta:  # cutoff
            break
        bound = alpha + 1
    return alpha
