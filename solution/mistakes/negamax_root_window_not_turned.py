"""starts its negamax with MAX's window at a MIN root.

At a MIN root, negate and exchange alpha and beta first.

Changes: negamax
Line: turned window, window by player, arguments
Shows: alphabeta extra missing value
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return negamax(node, depth, alpha, beta, True)
    return -negamax(node, depth, alpha, beta, False)
