"""stops at MIN nodes only when the value is below alpha, not when they are equal.

At MIN nodes, a value that is equal to alpha must stop the loop, too.

Strict course: stops when the value equals alpha at MIN nodes, unlike at MAX nodes.
Strict course: At MIN nodes, a value that is equal to alpha must not stop the loop.
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
            if best >= beta:  # cutoff
                break
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if best < alpha:  # cutoff
                break
            beta = min(beta, best)
    return best
