"""Starts the best value at None instead of an infinity."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is None or (score > best if maximizing else score < best):
            best = score
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            if best is None or score > best:
                best = score
            alpha = max(alpha, best)
        else:
            if best is None or score < best:
                best = score
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    best = move = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is None or (score > best if maximizing else score < best):
            best, move = score, child
    return move
