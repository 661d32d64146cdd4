"""returns alpha or beta instead of the best value, so cutoffs are lost.

Return the best value of the node, even if it lies outside the window.

Convention: strict
Shows: alphabeta extra
Line: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        for child in node.children:
            alpha = max(alpha, alphabeta(child, depth - 1, alpha, beta, False))
            if alpha >= beta:  # cutoff
                break
        return alpha
    for child in node.children:
        beta = min(beta, alphabeta(child, depth - 1, alpha, beta, True))
        if alpha >= beta:  # cutoff
            break
    return beta
