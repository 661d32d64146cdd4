"""Uses one loop for both players: a sign reverses MIN's comparisons."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    sign = 1 if maximizing else -1
    best = -sign * math.inf
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if sign * score > sign * best:
            best = score
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    sign = 1 if maximizing else -1
    window = {1: alpha, -1: beta}
    best = -sign * math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, window[1], window[-1], not maximizing)
        if sign * score > sign * best:
            best = score
        if sign * best > sign * window[sign]:
            window[sign] = best
        if window[1] >= window[-1]:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    sign = 1 if maximizing else -1
    return max(node.children, key=lambda c: sign * minimax(c, depth - 1, not maximizing))
