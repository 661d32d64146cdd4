"""calls evaluate() at every node, before it knows whether it is a leaf.

Call evaluate() only at depth 0 and at terminals.

Line: dropped, into the block
Shows: alphabeta no-leaf
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    value = node.evaluate()
    if depth == 0 or node.is_terminal():
        return value
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
