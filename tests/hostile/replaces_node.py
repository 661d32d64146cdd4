"""Replaces the methods of Node, so that a leaf has a value without a visit.

Expect: score 0
Expect: says "returned 5, expected 1"
Expect: says "chose"
"""
import gametree


class Fake(gametree.Node):
    children = ()

    def evaluate(self):
        return 5

    def is_terminal(self):
        return True


gametree.Node.evaluate = lambda self: 5
gametree.Node.is_terminal = lambda self: True
gametree.Node.children = property(lambda self: ())


def minimax(node, depth, maximizing):
    return node.evaluate()


def alphabeta(node, depth, alpha, beta, maximizing):
    return Fake(node._queries, node._key, True).evaluate()


def best_move(node, depth, maximizing):
    return node
