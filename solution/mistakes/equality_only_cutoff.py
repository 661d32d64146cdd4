"""stops only when alpha equals beta, not when it exceeds beta.

Stop when alpha is greater than beta, too.

Strict course: stops when alpha equals beta, but not when it exceeds beta.
Strict course: Stop only when alpha is greater than beta.
Line: comparison, cutoff
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha == beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha == beta:  # cutoff
                break
    return best
