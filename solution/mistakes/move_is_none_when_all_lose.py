"""starts at a losing score, so it returns None if all moves lose.

Start at an infinity, or with the first move, so that a move is always chosen.

Line: starting value, infinity by player
Shows: best_move type
"""


def best_move(node, depth, maximizing):
    move = None
    best = -1 if maximizing else 1
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
