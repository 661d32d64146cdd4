"""stores its best score in a global variable and so misses later moves.

Reset the best score at the start of every call.

Shows: best_move later type
"""

best_scores = {True: -math.inf, False: math.inf}


def best_move(node, depth, maximizing):
    move = None
    best = best_scores[maximizing]
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = best_scores[maximizing] = score
            move = child
    return move
