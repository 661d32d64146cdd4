"""updates both alpha and beta at the root after each child.

A MAX root updates only alpha, and a MIN root updates only beta.

Changes: root_loop
Shows: alphabeta missing value
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = search(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
        alpha = max(alpha, best)
        beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
