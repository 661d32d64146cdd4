"""Your minimax keeps each child's value instead of the best one.

In minimax keep the larger value at MAX, the smaller at MIN.

Changes: move_by_alphabeta
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
