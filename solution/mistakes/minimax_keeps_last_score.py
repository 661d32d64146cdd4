"""overwrites the best value with each child's value.

In minimax, store the larger value at MAX nodes and the smaller at MIN nodes.

Changes: move_by_alphabeta
Line: better value
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = minimax(child, depth - 1, False)
    else:
        best = math.inf
        for child in node.children:
            best = minimax(child, depth - 1, True)
    return best
