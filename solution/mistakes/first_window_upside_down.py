"""starts with alpha = infinity and beta = -infinity.

Alpha starts at minus infinity, the worst value for MAX, and beta at plus infinity.

Changes: root_loop
Line: dropped in assignment
Shows: alphabeta missing value
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    alpha, beta = math.inf, -math.inf
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = search(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
