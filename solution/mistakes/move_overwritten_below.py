"""lets deeper calls overwrite the one variable that holds the root's best move.

Store the move only at the root, or let each call return its own move.

Shows: best_move move
Line: nothing
"""


def best_move(node, depth, maximizing):
    search(node, depth, maximizing)
    return chosen


def search(node, depth, maximizing):
    global chosen
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = search(child, depth - 1, not maximizing)
        if score > best if maximizing else score < best:
            best = score
            chosen = child
    return best
