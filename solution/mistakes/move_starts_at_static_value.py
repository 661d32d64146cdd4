"""takes the first move's static value instead of searching this move.

Search the first move with minimax or alphabeta, like all other moves.

Changes: move_by_loop
Shows: best_move no-leaf move
Line: recursive call
"""


def best_move(node, depth, maximizing):
    move = node.children[0]
    best = move.evaluate()
    for child in node.children[1:]:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
