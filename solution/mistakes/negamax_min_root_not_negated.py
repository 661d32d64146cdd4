"""At a MIN root you return the negamax value without restoring its sign.

Negate the value at a MIN root: alphabeta returns values from MAX's point of view.

Changes: negamax
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return negamax(node, depth, alpha, beta, True)
    return negamax(node, depth, -beta, -alpha, False)
