"""returns the best value instead of the move.

Remember which child gave the best value, and return that child.

Line: name in return
Shows: best_move type
"""


def best_move(node, depth, maximizing):
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
    return best
