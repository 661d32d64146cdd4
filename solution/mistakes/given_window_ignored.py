"""starts from a full window and ignores the alpha and beta of the caller.

Start the search from the caller's alpha and beta.

Changes: root_loop
Line: name for number, window, turned window
Line: dropped in assignment, better value in assignment
Shows: alphabeta extra
Points: 84 to 95
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    alpha, beta = -math.inf, math.inf
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
