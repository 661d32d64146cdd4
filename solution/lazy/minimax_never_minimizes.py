"""Minimax lets both players maximize; the other two functions are correct.

Points: 75 to 84
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    return max(minimax(child, depth - 1, not maximizing) for child in node.children)


def best_move(node, depth, maximizing):
    choose = max if maximizing else min

    def value(child):
        return alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing)

    return choose(node.children, key=value)
