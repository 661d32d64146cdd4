"""Chooses the move in a plain loop that stores the first best score."""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
