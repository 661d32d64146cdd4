"""stops only when alpha > beta, so it does not prune ties; it returns bounds.

Stop when alpha and beta are equal, too.

Strict course: stops when alpha equals beta, and returns the bounds.
Strict course: Stop only when alpha is greater than beta, and return the best value.
Line: comparison, cutoff
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
