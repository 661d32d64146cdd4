"""returns the child's name instead of the child.

Return the node, not its name.

Line: other result in return
Shows: best_move type
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move.name
