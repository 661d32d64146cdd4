"""best_move searches its moves with alpha = infinity and beta = -infinity.

Open the window the right way: alpha at minus infinity, beta at infinity.

Shows: best_move move
"""


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children,
        key=lambda child: alphabeta(child, depth - 1, math.inf, -math.inf, not maximizing),
    )
