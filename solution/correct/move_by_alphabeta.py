"""Chooses the move by a full-window alpha-beta search of each child."""


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children,
        key=lambda child: alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing),
    )
