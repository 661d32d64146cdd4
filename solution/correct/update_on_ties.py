"""Also updates the best value when a score equals it, which has no effect."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = minimax(child, depth - 1, False)
            if score >= best:
                best = score
    else:
        best = math.inf
        for child in node.children:
            score = minimax(child, depth - 1, True)
            if score <= best:
                best = score
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score >= best:
                best = score
            if best >= alpha:
                alpha = best
            if beta <= alpha:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score <= best:
                best = score
            if best <= beta:
                beta = best
            if beta <= alpha:  # cutoff
                break
    return best


def best_move(node, depth, maximizing):
    best, move = (-math.inf, None) if maximizing else (math.inf, None)
    for child in reversed(node.children):
        score = minimax(child, depth - 1, not maximizing)
        if (score >= best) if maximizing else (score <= best):
            best, move = score, child
    return move
