"""stores the window in global variables that survive the search.

Start every search from the given alpha and beta.

Changes: root_loop
Shows: alphabeta later missing value
Line: nothing
"""

lower, upper = -math.inf, math.inf


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    global lower, upper
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
    lower, upper = alpha, beta
    return best
