"""Fail-hard: starts the best value at a bound instead of an infinity.

Convention: equality
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = float("-inf") if maximizing else float("inf")
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = alpha
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, best, beta, False))
            if best >= beta:  # cutoff
                break
    else:
        best = beta
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, best, True))
            if best <= alpha:  # cutoff
                break
    return best


def best_move(node, depth, maximizing):
    best, move = None, None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if move is None or (score > best if maximizing else score < best):
            best, move = score, child
    return move
