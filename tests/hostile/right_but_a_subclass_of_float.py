"""Returns correct values as a subclass of float with overridden methods.

Expect: score 100
"""
# @HONEST@

_minimax, _alphabeta = minimax, alphabeta


class Value(float):
    def __repr__(self):
        return "BREACH"

    def __eq__(self, other):
        return False

    __hash__ = None


def minimax(node, depth, maximizing):
    return Value(_minimax(node, depth, maximizing))


def alphabeta(node, depth, alpha, beta, maximizing):
    return Value(_alphabeta(node, depth, alpha, beta, maximizing))


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(node.children, key=lambda c: _minimax(c, depth - 1, not maximizing))
