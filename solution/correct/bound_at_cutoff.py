"""Returns the bound at a cutoff, and the best value otherwise.

Convention: equality
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        return max(minimax(child, depth - 1, False) for child in node.children)
    return min(minimax(child, depth - 1, True) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score >= beta:  # cutoff
                return beta
            if score > best:
                best = score
            if score > alpha:
                alpha = score
        return best
    best = math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, True)
        if score <= alpha:  # cutoff
            return alpha
        if score < best:
            best = score
        if score < beta:
            beta = score
    return best


def best_move(node, depth, maximizing):
    scores = {}
    for child in node.children:
        scores[child] = minimax(child, depth - 1, not maximizing)
    if maximizing:
        return max(scores, key=scores.get)
    return min(scores, key=scores.get)
