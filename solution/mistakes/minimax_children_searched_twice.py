"""searches a child to compare its value, and again to store it.

In minimax, store the result of the call in a variable.

Changes: move_by_alphabeta
Shows: minimax nodes
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            if minimax(child, depth - 1, False) > best:
                best = minimax(child, depth - 1, False)
    else:
        best = math.inf
        for child in node.children:
            if minimax(child, depth - 1, True) < best:
                best = minimax(child, depth - 1, True)
    return best
