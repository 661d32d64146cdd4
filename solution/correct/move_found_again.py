"""Searches the root for its value, then finds the first child with that value."""


def best_move(node, depth, maximizing):
    value = alphabeta(node, depth, -math.inf, math.inf, maximizing)
    for child in node.children:
        score = alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing)
        if score == value:
            return child
