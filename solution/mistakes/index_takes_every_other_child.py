"""increases the index by two for each child, so it skips every other child.

Increase the index by one, and only once, for each child.

Changes: index_loop
Line: number in assignment, dropped
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if len(node.children) == 0 or depth == 0:
        return node.evaluate()
    best = float("-inf") if maximizing else float("inf")
    i = 0
    while i < len(node.children):
        score = alphabeta(node.children[i], depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
        i += 2
    return best
