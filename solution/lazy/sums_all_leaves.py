"""All three functions visit every leaf and add up the values.

Points: 0 to 11
"""


def leaves(node, depth):
    if depth == 0 or node.is_terminal():
        return [node.evaluate()]
    return [value for child in node.children for value in leaves(child, depth - 1)]


def minimax(node, depth, maximizing):
    return sum(leaves(node, depth))


def alphabeta(node, depth, alpha, beta, maximizing):
    return sum(leaves(node, depth))


def best_move(node, depth, maximizing):
    sums = [sum(leaves(child, depth - 1)) for child in node.children]
    return node.children[sums.index(max(sums))]
