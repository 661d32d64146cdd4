"""returns the variable of the other branch, which is still an infinity.

Return the maximum at MAX nodes and the minimum at MIN nodes.

Line: name in return
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    largest, smallest = -math.inf, math.inf
    if maximizing:
        for child in node.children:
            largest = max(largest, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, largest)
            if alpha >= beta:  # cutoff
                break
        return smallest
    for child in node.children:
        smallest = min(smallest, alphabeta(child, depth - 1, alpha, beta, True))
        beta = min(beta, smallest)
        if alpha >= beta:  # cutoff
            break
    return largest
