"""adds each child's value to the best value.

Compare the child's value with the best value instead of adding it.

Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = 0
        for child in node.children:
            best += alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = 0
        for child in node.children:
            best += alphabeta(child, depth - 1, alpha, beta, True)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
