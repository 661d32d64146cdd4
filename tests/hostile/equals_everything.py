"""Returns an object that claims to equal everything and to be a number.

Expect: score 0
Expect: says "its process ended before it returned"
"""


class Anything:
    __class__ = float

    def __eq__(self, other):
        return True

    __le__ = __ge__ = __lt__ = __gt__ = __ne__ = __eq__

    def __hash__(self):
        return 0

    def __float__(self):
        return 1.0


def minimax(node, depth, maximizing):
    return Anything()


def alphabeta(node, depth, alpha, beta, maximizing):
    return Anything()


def best_move(node, depth, maximizing):
    return Anything()
