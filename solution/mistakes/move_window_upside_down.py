"""searches its moves with alpha = infinity and beta = -infinity.

Start with alpha at minus infinity and beta at plus infinity.

Line: arguments, window, turned window
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children,
        key=lambda child: alphabeta(child, depth - 1, math.inf, -math.inf, not maximizing),
    )
