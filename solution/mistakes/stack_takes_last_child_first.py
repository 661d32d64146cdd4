"""Your stack gives back the last child first, so you search right to left.

A stack turns the order round: put the children on it in reverse.

Changes: explicit_stack
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
