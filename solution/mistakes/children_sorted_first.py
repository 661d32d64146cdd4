"""sorts the children by their static values, which visits them all.

Search the children in the given order: each evaluate() for sorting is a visit.

Line: wrapping
Shows: alphabeta no-leaf extra nodes
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in sorted(node.children, key=lambda c: -c.evaluate()):
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in sorted(node.children, key=lambda c: c.evaluate()):
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
