"""sets beta to the last child's value at MIN nodes, not to the smallest value.

Beta may only fall: use the smaller of beta and the child's value.

Line: better value, name in assignment
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
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
            score = alphabeta(child, depth - 1, alpha, beta, True)
            best = min(best, score)
            beta = score
            if alpha >= beta:  # cutoff
                break
    return best
