"""starts the best value at 0.

Start it at minus infinity for MAX and at infinity for MIN, or with the first child.

Changes: move_by_loop
Line: starting value, infinity by player
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = node.children[0]
    best = 0
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
