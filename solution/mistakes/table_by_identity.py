"""caches values by node or id(node), so a later search finds old values.

Create a new table for each search: its depth and player may differ.

Shows: alphabeta later missing value
"""

known = {}


def key_of(node, depth, alpha, beta, maximizing):
    return id(node)


def alphabeta(node, depth, alpha, beta, maximizing):
    key = key_of(node, depth, alpha, beta, maximizing)
    if key not in known:
        known[key] = search(node, depth, alpha, beta, maximizing)
    return known[key]


def search(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
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
    return best
