"""Stores the window in a frozen dataclass, which also creates narrower windows."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Window:
    alpha: float = -math.inf
    beta: float = math.inf

    def narrowed(self, score, maximizing):
        if maximizing:
            return replace(self, alpha=max(self.alpha, score))
        return replace(self, beta=min(self.beta, score))

    @property
    def closed(self):
        return self.beta <= self.alpha  # cutoff


@dataclass(order=True)
class Scored:
    score: float
    order: int
    child: object = None


def search(node, depth, window, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    scores = []
    for child in node.children:
        scores.append(search(child, depth - 1, window, not maximizing))
        window = window.narrowed(scores[-1], maximizing)
        if window.closed:
            break
    return max(scores) if maximizing else min(scores)


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    scores = (minimax(child, depth - 1, not maximizing) for child in node.children)
    return max(scores) if maximizing else min(scores)


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, Window(alpha, beta), maximizing)


def best_move(node, depth, maximizing):
    sign = 1 if maximizing else -1
    return max(
        Scored(sign * search(child, depth - 1, Window(), not maximizing), -index, child)
        for index, child in enumerate(node.children)
    ).child
