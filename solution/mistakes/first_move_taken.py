"""returns after the first move.

Compare all moves before you return: check where your return statement is.

Line: indentation in return, jump in return
Shows: best_move move
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
        return move
