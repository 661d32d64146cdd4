"""Minimax calls alpha-beta; the other two functions are correct.

Points: 75 to 86.25
"""


def minimax(node, depth, maximizing):
    return alphabeta(node, depth, -math.inf, math.inf, maximizing)
