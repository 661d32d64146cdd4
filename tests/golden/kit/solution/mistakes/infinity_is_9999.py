"""uses 9999 as infinity, but values can lie beyond 9999.

A tree may contain larger values, so use math.inf or float('inf').

Also: 99 100 999 1000 10000 99999 100000 999999 1000000 9999999 10000000 100000000 987654321
Line: infinity by player, number
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -9999
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = 9999
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
