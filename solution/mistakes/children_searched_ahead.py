"""searches all children of a node before it first tests for a cutoff.

Search one child at a time, and test for a cutoff before the next one.

Denies: tests the window in its loop
Shows: alphabeta extra
Line: nothing, one at a time
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    scores = [
        alphabeta(child, depth - 1, alpha, beta, not maximizing) for child in node.children
    ]
    best = -math.inf if maximizing else math.inf
    for score in scores:
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
