"""takes the last child first from its stack, so it searches from right to left.

A stack reverses the order, so push the children from right to left.

Changes: explicit_stack
Line: first entry
Shows: alphabeta extra missing
"""


class Frame:
    def __init__(self, node, depth, alpha, beta, maximizing):
        self.node = node
        self.depth = depth
        self.alpha = alpha
        self.beta = beta
        self.maximizing = maximizing
        self.best = -math.inf if maximizing else math.inf
        self.waiting = list(node.children)
