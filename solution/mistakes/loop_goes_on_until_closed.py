"""continues its loop while children remain or the window is open.

Continue only while a child remains and the window is open.

Changes: index_loop
Line: condition
Shows: alphabeta raised
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if len(node.children) == 0 or depth == 0:
        return node.evaluate()
    best = float("-inf") if maximizing else float("inf")
    i = 0
    while i < len(node.children) or alpha < beta:
        score = alphabeta(node.children[i], depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        i += 1
    return best
