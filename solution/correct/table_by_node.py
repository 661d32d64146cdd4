"""Keeps a table by node, depth, player and window, which is honest reuse."""

minimax_table = {}
alphabeta_table = {}


def minimax(node, depth, maximizing):
    key = (node, depth, maximizing)
    if key not in minimax_table:
        if depth == 0 or node.is_terminal():
            value = node.evaluate()
        else:
            scores = [minimax(child, depth - 1, not maximizing) for child in node.children]
            value = max(scores) if maximizing else min(scores)
        minimax_table[key] = value
    return minimax_table[key]


def alphabeta(node, depth, alpha, beta, maximizing):
    key = (node, depth, alpha, beta, maximizing)
    if key in alphabeta_table:
        return alphabeta_table[key]
    if depth == 0 or node.is_terminal():
        best = node.evaluate()
    else:
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
            if maximizing:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    alphabeta_table[key] = best
    return best
