"""starts its negamax with MAX's window at a MIN root.

At a MIN root, negate and exchange alpha and beta first.

Changes: negamax
Line: turned window, arguments
Shows: alphabeta extra missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return mover_value(node, depth, alpha, beta, True)
    return -mover_value(node, depth, alpha, beta, False)
