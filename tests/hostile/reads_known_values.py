"""Searches with the values that minimax requested, without a visit.

Expect: score 40
Expect: says "the answer is correct, but the visited leaves do not prove it"
"""
# @HONEST@


class Quiet:
    """A node that answers from the memory of its worker."""

    def __init__(self, node, depth):
        self.node = node
        self.depth = depth

    def value(self, maximizing):
        known = getattr(self.node._queries, "_values", {})
        handle = self.node._key
        if handle in known and (self.depth == 0 or self.node.is_terminal()):
            return known[handle]
        if self.depth == 0 or self.node.is_terminal():
            return self.node.evaluate()
        below = [Quiet(child, self.depth - 1) for child in self.node.children]
        values = [child.value(not maximizing) for child in below]
        return max(values) if maximizing else min(values)


def alphabeta(node, depth, alpha, beta, maximizing):
    return Quiet(node, depth).value(maximizing)
