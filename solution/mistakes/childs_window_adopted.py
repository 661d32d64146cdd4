"""continues at a node with the alpha and beta of the node's child.

Use only the child's value, and keep the window of the parent.

Shows: alphabeta missing value
Line: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, alpha, beta, maximizing)[0]


def search(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate(), alpha, beta
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score, alpha, beta = search(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best, alpha, beta
