"""takes the last child from its list first, so it searches from right to left.

pop() takes the last entry of a list, so reverse the list, or take the first entry.

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
