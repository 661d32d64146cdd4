"""adds the values of MAX's children and subtracts those of MIN's.

Compare the children: a node has the value of its best child.

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
