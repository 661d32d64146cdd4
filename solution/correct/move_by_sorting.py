"""Sorts the moves by their scores; the sort is stable, so the leftmost wins ties."""


def best_move(node, depth, maximizing):
    sign = -1 if maximizing else 1
    scored = [
        (sign * minimax(child, depth - 1, not maximizing), index)
        for index, child in enumerate(node.children)
    ]
    scored.sort()
    return node.children[scored[0][1]]
