"""caches values by depth and player, so nodes of a ply share one value.

Remove the table, or add the node to its key.

Shows: alphabeta later missing value
"""

known = {}


def alphabeta(node, depth, alpha, beta, maximizing):
    if (depth, maximizing) in known:
        return known[depth, maximizing]
    if depth == 0 or node.is_terminal():
        return known.setdefault((depth, maximizing), node.evaluate())
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    known[depth, maximizing] = best
    return best
