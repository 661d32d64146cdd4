"""never leaves its loop, because its index never changes.

Increase the index at the end of the loop, or write: for child in node.children.

Changes: index_loop
Shows: alphabeta endless
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
    return best
