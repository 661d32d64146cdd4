"""always returns the last child, whatever its value.

Store the best value together with its move, and return this move.

Changes: move_by_loop
Line: indentation, missing assignment, name in return
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
    return child
