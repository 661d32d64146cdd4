"""Caches values by node, depth, player and window, in one table per search."""


def minimax(node, depth, maximizing, table=None):
    if table is None:
        table = {}
    key = (node, depth, maximizing)
    if key not in table:
        if depth == 0 or node.is_terminal():
            value = node.evaluate()
        else:
            scores = [
                minimax(child, depth - 1, not maximizing, table) for child in node.children
            ]
            value = max(scores) if maximizing else min(scores)
        table[key] = value
    return table[key]


def alphabeta(node, depth, alpha, beta, maximizing, table=None):
    if table is None:
        table = {}
    key = (node, depth, alpha, beta, maximizing)
    if key in table:
        return table[key]
    if depth == 0 or node.is_terminal():
        best = node.evaluate()
    else:
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing, table)
            if maximizing:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    table[key] = best
    return best
