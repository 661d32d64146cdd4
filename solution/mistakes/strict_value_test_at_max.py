"""stops at MAX nodes only when the value exceeds beta, not when they are equal.

At MAX nodes, a value that is equal to beta must stop the loop, too.

Strict course: stops when the value equals beta at MAX nodes, unlike at MIN nodes.
Strict course: At MAX nodes, a value that is equal to beta must not stop the loop.
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
            if best > beta:  # cutoff
                break
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if best <= alpha:  # cutoff
                break
            beta = min(beta, best)
    return best
