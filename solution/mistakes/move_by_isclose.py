"""treats scores as equal if math.isclose() is true for them.

Compare scores with < and >: isclose() is also true for different values.

Line: dropped, order in if
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    best = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is not None and math.isclose(score, best, rel_tol=1e-7):
            continue
        if best is None or (score > best if maximizing else score < best):
            best = score
            move = child
    return move
