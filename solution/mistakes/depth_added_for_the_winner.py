"""adds the depth to good values and subtracts it from bad ones.

Return evaluate() unchanged: quick wins earn no bonus in this assignment.

Line: other result, arithmetic
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        value = node.evaluate()
        return value + depth if value > 0 else value - depth if value < 0 else value
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
