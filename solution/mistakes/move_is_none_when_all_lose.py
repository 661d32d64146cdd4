"""best_move starts from a losing score, so it returns None when all moves lose.

Start from an infinity, or from the first move, so that some move is always chosen.

Shows: best_move type
"""


def best_move(node, depth, maximizing):
    move = None
    best = -1 if maximizing else 1
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
