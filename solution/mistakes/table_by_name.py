"""caches values by node.name, so the next search finds old values.

Remove the table: a name does not identify the tree or the search.

Shows: alphabeta later missing
Line: nothing
"""

known = {}


def alphabeta(node, depth, alpha, beta, maximizing):
    if node.name in known:
        return known[node.name]
    if depth == 0 or node.is_terminal():
        return known.setdefault(node.name, node.evaluate())
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
    known[node.name] = best
    return best
