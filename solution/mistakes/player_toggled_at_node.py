"""assigns maximizing = not maximizing in the loop, so a node's player changes.

Pass not maximizing to the child, and do not change the variable.

Line: before the loop
Shows: alphabeta value extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        maximizing = not maximizing
        score = alphabeta(child, depth - 1, alpha, beta, maximizing)
        if not maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
