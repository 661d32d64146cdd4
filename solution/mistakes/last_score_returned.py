"""returns the value of the last child instead of the best value.

Return the best value. If it is alpha or beta, return that bound.

Changes: fail_hard_from_the_bound
Line: name in return
Shows: alphabeta value missing
Convention: equality
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, score)
            if alpha >= beta:  # cutoff
                break
        return score
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, True)
        beta = min(beta, score)
        if alpha >= beta:  # cutoff
            break
    return score
