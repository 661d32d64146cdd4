"""searches the children of the root even if the root is a leaf.

First test whether the depth is 0 or the node is terminal, even at the root.

Changes: root_loop
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
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
