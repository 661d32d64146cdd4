"""compares the static values of the moves without searching them.

Search each move with minimax or alphabeta, at depth - 1.

Shows: best_move no-leaf move
Line: nothing, recursive call
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = child.evaluate()
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
