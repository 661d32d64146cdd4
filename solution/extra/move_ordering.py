"""The reference with the extra credit: children in the order of their static values."""


def ordered_alphabeta(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node`, searching good children first."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    children = node.children
    if depth > 1:
        children = sorted(children, key=lambda c: c.evaluate(), reverse=maximizing)
    best = -math.inf if maximizing else math.inf
    for child in children:
        value = ordered_alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
