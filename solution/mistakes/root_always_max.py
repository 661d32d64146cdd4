"""always searches the root as a MAX node and ignores the player to move.

Use the player that the caller passes.

Changes: root_loop
Line: dropped in assignment
Shows: alphabeta value extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    maximizing = True
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = search(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
