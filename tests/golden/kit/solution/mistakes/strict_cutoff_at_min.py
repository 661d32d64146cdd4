"""stops at MIN nodes only when alpha > beta, so it does not prune ties there.

Compare your two cutoff tests: at MIN nodes, a tie must stop the loop, too.

Strict course: stops when alpha equals beta at MIN nodes, unlike at MAX nodes.
Strict course: Compare your two cutoff tests: at MIN nodes, a tie must not stop the loop.
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
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha > beta:  # cutoff
                break
    return best
