"""stops only when alpha > beta, so children after a tie are searched.

Prune on equality: stop as soon as alpha reaches beta, at MAX and MIN nodes.

Strict course: You stop when alpha equals beta, but this course does not prune ties.
Strict course: Stop only when alpha is greater than beta, at MAX and MIN nodes.
Shows: alphabeta extra
Points: 85 to 93
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha > beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha > beta:  # cutoff
                break
    return best
