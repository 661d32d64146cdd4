"""Searches in a class; the functions of the module create and call an instance."""

from __future__ import annotations


class Searcher:
    def __init__(self, pruning: bool) -> None:
        self.pruning = pruning
        self.nodes = 0
        self.move = None

    def value(self, node, depth, alpha, beta, maximizing, at_root=True):
        self.nodes += 1
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = self.value(child, depth - 1, alpha, beta, not maximizing, False)
            if score > best if maximizing else score < best:
                best = score
                if at_root:
                    self.move = child
            if not self.pruning:
                continue
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
        return best


def minimax(node, depth, maximizing):
    return Searcher(pruning=False).value(node, depth, -math.inf, math.inf, maximizing)


def alphabeta(node, depth, alpha, beta, maximizing):
    return Searcher(pruning=True).value(node, depth, alpha, beta, maximizing)


def best_move(node, depth, maximizing):
    searcher = Searcher(pruning=True)
    searcher.value(node, depth, -math.inf, math.inf, maximizing)
    return searcher.move
