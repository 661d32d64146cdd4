"""overwrites the best value with each child's value.

Store the larger value at MAX nodes and the smaller value at MIN nodes.

Line: better value
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = alphabeta(child, depth - 1, alpha, beta, True)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
