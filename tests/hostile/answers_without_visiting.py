"""Returns the correct value of the first tree without visiting a leaf.

Expect: score 0
Expect: says "the answer is correct, but the visited leaves do not prove it"
"""


def minimax(node, depth, maximizing):
    return 1


def alphabeta(node, depth, alpha, beta, maximizing):
    return 1


def best_move(node, depth, maximizing):
    return node.children[0]
