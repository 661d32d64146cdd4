"""stores a value only if it improves alpha at MAX nodes or beta at MIN nodes.

Update the best value before and apart from the bound, or start it at the bound.

Line: name for number in assignment, indentation in assignment, missing assignment
Shows: alphabeta value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score > alpha:
                alpha = score
                best = score
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score < beta:
                beta = score
                best = score
            if alpha >= beta:  # cutoff
                break
    return best
