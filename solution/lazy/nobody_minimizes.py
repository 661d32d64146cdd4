"""All three functions let both players maximize.

Points: 0 to 30
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    return max(minimax(child, depth - 1, not maximizing) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf
    for child in node.children:
        best = max(best, alphabeta(child, depth - 1, alpha, beta, not maximizing))
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    return max(node.children, key=lambda child: minimax(child, depth - 1, not maximizing))
