"""stops only at depth 0, so an earlier terminal returns an infinity.

Evaluate at terminals too: a branch may end before depth reaches 0.

Denies: tests for terminals
Line: leaf test
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0:
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
            if alpha >= beta:  # cutoff
                break
    return best
