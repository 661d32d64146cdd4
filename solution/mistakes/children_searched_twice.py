"""searches a child once to compare its value, and again to store it.

Store the result of the call in a variable, and use the variable twice.

Shows: alphabeta nodes
Line: nothing, searched once
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            if alphabeta(child, depth - 1, alpha, beta, False) > best:
                best = alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            if alphabeta(child, depth - 1, alpha, beta, True) < best:
                best = alphabeta(child, depth - 1, alpha, beta, True)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
