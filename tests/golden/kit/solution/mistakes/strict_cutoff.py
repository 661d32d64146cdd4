"""You stop only when alpha > beta, so children after a tie are searched.

Stop as soon as alpha has reached beta: equal is enough, at MAX and at MIN nodes.

Strict course: You stop already when alpha equals beta; this course goes on at a tie.
Strict course: Stop only once alpha has passed beta, at MAX and at MIN nodes.
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
