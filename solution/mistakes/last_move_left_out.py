"""skips the last move.

Search all of node.children.

Line: whole list
Shows: best_move type move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children[:-1]:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
