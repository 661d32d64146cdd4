"""Loops with while and an index, and reads node.children in every iteration."""


def minimax(node, depth, maximizing):
    if len(node.children) == 0 or depth == 0:
        return node.evaluate()
    best = minimax(node.children[0], depth - 1, not maximizing)
    i = 1
    while i < len(node.children):
        score = minimax(node.children[i], depth - 1, not maximizing)
        if maximizing and score > best or not maximizing and score < best:
            best = score
        i += 1
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if len(node.children) == 0 or depth == 0:
        return node.evaluate()
    best = float("-inf") if maximizing else float("inf")
    i = 0
    while i < len(node.children):
        score = alphabeta(node.children[i], depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
        i += 1
    return best


def best_move(node, depth, maximizing):
    best = 0
    scores = []
    for i in range(len(node.children)):
        scores.append(minimax(node.children[i], depth - 1, not maximizing))
        if maximizing and scores[i] > scores[best]:
            best = i
        if not maximizing and scores[i] < scores[best]:
            best = i
    return node.children[best]
