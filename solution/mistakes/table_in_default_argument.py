"""carries values from search to search in the dictionary of a default argument.

Python creates a default once for all calls: create the table inside each search.

Shows: alphabeta later missing
"""


def alphabeta(node, depth, alpha, beta, maximizing, known={}):  # noqa: B006
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
