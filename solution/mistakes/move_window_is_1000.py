"""searches its moves in too narrow a window: values can lie outside it.

Start with -math.inf and math.inf: the value of a move may lie outside the window.

Also: 99 100 999 9999 10000 99999 100000 999999 1000000 9999999 10000000 100000000 987654321
Only: MAX MIN
Line: number, starting value
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children,
        key=lambda child: alphabeta(child, depth - 1, -1000, 1000, not maximizing),
    )
