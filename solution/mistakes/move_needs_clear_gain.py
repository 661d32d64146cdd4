"""ignores an improvement as small as 0.000001.

Compare the scores directly: any improvement makes a move better.

Only: MAX MIN
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        gain = score - best if maximizing else best - score
        if gain > 0.0000015:
            best = score
            move = child
    return move
