"""Returns a subclass of int that equals everything.

Expect: score 0
Expect: says "returned 12345, expected 1"
Expect: says "returned an int instead of one of node.children" or "returned a number instead of one of node.children"
"""


class Anything(int):
    def __eq__(self, other):
        return True

    def __pos__(self):
        return 1

    def __hash__(self):
        return 1


def minimax(node, depth, maximizing):
    return Anything(12345)


def alphabeta(node, depth, alpha, beta, maximizing):
    return Anything(12345)


def best_move(node, depth, maximizing):
    return Anything(12345)
