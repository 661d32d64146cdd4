"""At a MIN root you return the negamax value without turning its sign back.

Negamax answers for the player to move; alphabeta answers for MAX.

Changes: negamax
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return negamax(node, depth, alpha, beta, True)
    return negamax(node, depth, -beta, -alpha, False)
