"""treats a best value of 0 as a missing value.

Test whether the best value is None: in Python, 0 counts as false.

Changes: none_as_first_best
Line: none
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            if not best or score > best:
                best = score
            alpha = max(alpha, best)
        else:
            if not best or score < best:
                best = score
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
