"""returns the move's index instead of the child.

Return the child node itself, one of node.children.

Line: name in return
Shows: best_move type
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for index, child in enumerate(node.children):
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = index
    return move
