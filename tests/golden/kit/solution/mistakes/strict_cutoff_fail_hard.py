"""You stop only when alpha > beta, and return the bounds: ties are searched.

Let your test hold when alpha and beta are equal, too.

Strict course: You stop already when alpha equals beta, and return the bounds.
Strict course: Let your test hold only once alpha has passed beta; return the best value.
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        for child in node.children:
            alpha = max(alpha, alphabeta(child, depth - 1, alpha, beta, False))
            if alpha > beta:  # cutoff
                break
        return alpha
    for child in node.children:
        beta = min(beta, alphabeta(child, depth - 1, alpha, beta, True))
        if alpha > beta:  # cutoff
            break
    return beta
