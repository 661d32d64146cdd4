"""best_move searches its moves with the full depth, one ply too deep.

The move itself is one ply: search the children with one less.

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
