"""stops only when the child just searched is a leaf.

A cutoff depends only on alpha and beta: remove the condition on the child.

Line: condition, cutoff
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
            if child.is_terminal() and alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if child.is_terminal() and alpha >= beta:  # cutoff
                break
    return best
