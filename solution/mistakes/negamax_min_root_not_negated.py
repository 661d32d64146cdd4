"""returns the negamax value without restoring its sign at a MIN root.

Negate the value at a MIN root: alphabeta returns values from MAX's point of view.

Changes: negamax
Line: sign in return
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return mover_value(node, depth, alpha, beta, True)
    return mover_value(node, depth, -beta, -alpha, False)
