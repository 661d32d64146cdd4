"""Uses 10**9 as infinity, which is larger than every value of a tree."""

INFINITY = 10**9


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -INFINITY
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
        return best
    best = INFINITY
    for child in node.children:
        best = min(best, minimax(child, depth - 1, True))
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -INFINITY
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if beta <= alpha:  # cutoff
                break
        return best
    best = INFINITY
    for child in node.children:
        best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
        beta = min(beta, best)
        if beta <= alpha:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    alpha, beta = -INFINITY, INFINITY
    move = None
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing and score > alpha:
            alpha, move = score, child
        elif not maximizing and score < beta:
            beta, move = score, child
    return move
