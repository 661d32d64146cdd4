"""compares static values on a tie, so it may choose a later move.

Of equally good moves, keep the first: do not evaluate the moves themselves.

Line: comparison, dropped
Shows: best_move no-leaf move
"""


def best_move(node, depth, maximizing):
    sign = 1 if maximizing else -1
    move = None
    best = -math.inf
    for child in node.children:
        score = sign * minimax(child, depth - 1, not maximizing)
        if score > best:
            best = score
            move = child
        elif score == best and sign * child.evaluate() > sign * move.evaluate():
            move = child
    return move
