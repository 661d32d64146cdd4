"""chooses the highest value even when MIN is to move.

Test maximizing: MIN chooses the lowest value.

Line: choice by player, sign by player
Shows: best_move move
Points: 85 to 90.25
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best
        if better:
            best = score
            move = child
    return move
