"""starts its index at 1, so it never searches the child with index 0.

Start the index at 0, because Python counts from 0.

Changes: index_loop
Line: number in assignment
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if len(node.children) == 0 or depth == 0:
        return node.evaluate()
    best = float("-inf") if maximizing else float("inf")
    i = 1
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
        i += 1
    return best
