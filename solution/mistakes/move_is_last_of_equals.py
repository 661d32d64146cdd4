"""returns the last of several best moves.

Of several best moves, return the first: a later move must be strictly better.

Line: comparison, by value, wrapping
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score >= best if maximizing else score <= best
        if better:
            best = score
            move = child
    return move
