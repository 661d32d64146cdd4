"""Searches in an inner function, which updates nonlocal counters."""


def minimax(node, depth, maximizing):
    visited = 0

    def search(node, depth, maximizing):
        nonlocal visited
        visited += 1
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        scores = [search(child, depth - 1, not maximizing) for child in node.children]
        return max(scores) if maximizing else min(scores)

    return search(node, depth, maximizing)


def alphabeta(node, depth, alpha, beta, maximizing):
    cutoffs = 0

    def search(node, depth, alpha, beta, maximizing):
        nonlocal cutoffs
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = search(child, depth - 1, alpha, beta, not maximizing)
            if maximizing:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:  # cutoff
                cutoffs += 1
                break
        return best

    return search(node, depth, alpha, beta, maximizing)


def best_move(node, depth, maximizing):
    best_child = None
    best_score = None

    def consider(child):
        nonlocal best_child, best_score
        score = minimax(child, depth - 1, not maximizing)
        if best_score is None or (score > best_score if maximizing else score < best_score):
            best_child, best_score = child, score

    for child in node.children:
        consider(child)
    return best_child
