"""searches later children with a null window and returns the bound.

PVS is a valid algorithm, but the assignment asks for one search per child.

Changes: fail_hard
Shows: alphabeta nodes
Line: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    first = node.children[0]
    if maximizing:
        for child in node.children:
            bound = beta if child is first else min(beta, alpha + 1)
            score = alphabeta(child, depth - 1, alpha, bound, False)
            if bound < beta and alpha < score < beta:
                score = alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, score)
            if alpha >= beta:  # cutoff
                break
        return alpha
    for child in node.children:
        bound = alpha if child is first else max(alpha, beta - 1)
        score = alphabeta(child, depth - 1, bound, beta, True)
        if bound > alpha and alpha < score < beta:
            score = alphabeta(child, depth - 1, alpha, beta, True)
        beta = min(beta, score)
        if alpha >= beta:  # cutoff
            break
    return beta
