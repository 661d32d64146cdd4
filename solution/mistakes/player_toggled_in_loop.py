"""changes the player inside the loop, so the children take turns.

The same player moves at all children: pass not maximizing, but do not assign it.

Line: before the loop
Shows: alphabeta value extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    other = maximizing
    for child in node.children:
        other = not other
        score = alphabeta(child, depth - 1, alpha, beta, other)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
