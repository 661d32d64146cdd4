"""All three functions visit every leaf and return None.

Points: 0 to 3
"""


def visit(node, depth):
    if depth == 0 or node.is_terminal():
        node.evaluate()
    else:
        for child in node.children:
            visit(child, depth - 1)


def minimax(node, depth, maximizing):
    visit(node, depth)


def alphabeta(node, depth, alpha, beta, maximizing):
    visit(node, depth)


def best_move(node, depth, maximizing):
    visit(node, depth)
