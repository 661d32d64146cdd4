"""returns the last of several best moves.

Search from left to right, and replace the move only if a later one is strictly better.

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
