"""You stop only when alpha equals beta exactly, not when it has passed beta.

Make the test hold for every alpha beyond beta too.

Strict course: You stop where alpha equals beta exactly, not where it has passed beta.
Strict course: Make the test hold for every alpha beyond beta, and for no other.
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
