"""searches each move to the full depth, which is one ply too deep.

The move itself is one ply, so search the children to depth - 1.

Line: deeper
Shows: best_move no-leaf move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
