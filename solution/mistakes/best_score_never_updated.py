"""never stores the best score, so every move seems better.

Store the score together with the move.

Line: missing assignment
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            move = child
    return move
