"""The nodes on your stack all belong to the root's player.

A child on the stack belongs to the other player.

Shows: alphabeta value extra missing
"""

import math


class Frame:
    def __init__(self, node, depth, alpha, beta, maximizing):
        self.node = node
        self.depth = depth
        self.alpha = alpha
        self.beta = beta
        self.maximizing = maximizing
        self.best = -math.inf if maximizing else math.inf
        self.waiting = list(reversed(node.children))

    def take(self, score):
        """Count a child's score; forget the waiting children at a cutoff."""
        if self.maximizing:
            self.best = max(self.best, score)
            self.alpha = max(self.alpha, self.best)
        else:
            self.best = min(self.best, score)
            self.beta = min(self.beta, self.best)
        if self.alpha >= self.beta:  # cutoff
            self.waiting.clear()


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    stack = [Frame(node, depth, alpha, beta, maximizing)]
    while True:
        top = stack[-1]
        if top.waiting:
            child = top.waiting.pop()
            if top.depth == 1 or child.is_terminal():
                top.take(child.evaluate())
            else:
                stack.append(
                    Frame(child, top.depth - 1, top.alpha, top.beta, top.maximizing)
                )
        else:
            stack.pop()
            if not stack:
                return top.best
            stack[-1].take(top.best)


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(minimax(child, depth - 1, not maximizing) for child in node.children)


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )
