"""stores the window as an attribute of the function, where it survives.

Use local variables: a search must not affect the next search.

Changes: root_loop
Shows: alphabeta later missing value
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    lower, upper = alphabeta.window
    alpha, beta = max(alpha, lower), min(beta, upper)
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
    alphabeta.window = alpha, beta
    return best


alphabeta.window = -math.inf, math.inf
