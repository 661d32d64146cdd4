"""Represents an open bound as None, including a given infinite bound."""


def minimax(node, depth, maximizing):
    return search(node, depth, None, None, maximizing, prune=False)


def alphabeta(node, depth, alpha, beta, maximizing):
    alpha = None if alpha == -math.inf else alpha
    beta = None if beta == math.inf else beta
    return search(node, depth, alpha, beta, maximizing)


def search(node, depth, alpha, beta, maximizing, prune=True):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = search(child, depth - 1, alpha, beta, not maximizing, prune)
        if (
            best is None
            or (maximizing and score > best)
            or (not maximizing and score < best)
        ):
            best = score
        if not prune:
            continue
        if maximizing:
            alpha = best if alpha is None else max(alpha, best)
        else:
            beta = best if beta is None else min(beta, best)
        if alpha is not None and beta is not None and alpha >= beta:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    best = move = None
    for child in node.children:
        score = search(child, depth - 1, None, None, not maximizing)
        if (
            best is None
            or (maximizing and score > best)
            or (not maximizing and score < best)
        ):
            best, move = score, child
    return move
