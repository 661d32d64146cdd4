"""starts at too small an infinity: values can lie beyond it.

Start the best score at an infinity, or with the first child.

Also: 99 100 999 9999 10000 99999 100000 999999 1000000
Line: starting value, infinity by player
Shows: best_move type
"""


def best_move(node, depth, maximizing):
    move = None
    best = -1000 if maximizing else 1000
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if score > best if maximizing else score < best:
            best = score
            move = child
    return move
