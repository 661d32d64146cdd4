"""has no result to return if no child is better than the bound.

Give it a value before the loop, or return the bound.

Changes: fail_hard_from_the_bound
Line: name in return
Shows: alphabeta raised
Convention: equality
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score > alpha:
                alpha = score
                best = score
            if alpha >= beta:  # cutoff
                break
        return best
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, True)
        if score < beta:
            beta = score
            best = score
        if alpha >= beta:  # cutoff
            break
    return best
