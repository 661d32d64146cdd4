"""carries its window into the next search in the list of a default argument.

Python creates a default once for all calls: create the list in each call.

Changes: root_loop
Shows: alphabeta later missing value
Derives: nothing
"""


def alphabeta(
    node,
    depth,
    alpha,
    beta,
    maximizing,
    kept=[-math.inf, math.inf],  # noqa: B006
):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    alpha, beta = max(alpha, kept[0]), min(beta, kept[1])
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
    kept[:] = alpha, beta
    return best
