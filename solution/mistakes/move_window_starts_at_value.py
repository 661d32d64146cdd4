"""searches for the best value in a window whose alpha is this value.

A worse move of MAX may then return alpha, too. Use a window with both bounds beyond it.

Changes: fail_hard
Shows: best_move move
Line: nothing, window
Convention: equality
"""


def best_move(node, depth, maximizing):
    value = alphabeta(node, depth, -math.inf, math.inf, maximizing)
    for child in node.children:
        score = alphabeta(child, depth - 1, value, value + 1, not maximizing)
        if score == value:
            return child
    return node.children[0]
