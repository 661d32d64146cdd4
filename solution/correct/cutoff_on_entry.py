"""Tests the window on entry: a call with a closed window visits no node."""


def minimax(node, depth, maximizing):
    if depth == 0:
        return node.evaluate()
    if node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is None:
            best = score
        elif maximizing:
            best = max(best, score)
        else:
            best = min(best, score)
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if alpha >= beta:  # cutoff
        return beta if maximizing else alpha
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
    return best


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children,
        key=lambda c: alphabeta(c, depth - 1, -math.inf, math.inf, not maximizing),
    )
