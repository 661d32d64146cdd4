"""Returns the value as text, a list, and a generator.

Expect: score 0
Expect: says "returned a str instead of a number"
Expect: says "returned a list instead of a number"
Expect: says "returned a generator instead of one of node.children"
"""


def minimax(node, depth, maximizing):
    return "1"


def alphabeta(node, depth, alpha, beta, maximizing):
    return [1]


def best_move(node, depth, maximizing):
    return (child for child in node.children)
