"""Your minimax adds MAX's children up and takes MIN's away.

Compare the children, do not add them: a node is worth its best child.

Changes: move_by_alphabeta
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    total = 0
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        total += score if maximizing else -score
    return total
