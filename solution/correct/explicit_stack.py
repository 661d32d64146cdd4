"""Uses a stack of open nodes instead of recursion."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(minimax(child, depth - 1, not maximizing) for child in node.children)


class Frame:
    def __init__(self, node, depth, alpha, beta, maximizing):
        self.node = node
        self.depth = depth
        self.alpha = alpha
        self.beta = beta
        self.maximizing = maximizing
        self.best = -math.inf if maximizing else math.inf
        self.waiting = list(reversed(node.children))


def take(frame, score):
    """Count a child's score; forget the waiting children at a cutoff."""
    if frame.maximizing:
        frame.best = max(frame.best, score)
        frame.alpha = max(frame.alpha, frame.best)
    else:
        frame.best = min(frame.best, score)
        frame.beta = min(frame.beta, frame.best)
    if frame.alpha >= frame.beta:  # cutoff
        frame.waiting.clear()


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    stack = [Frame(node, depth, alpha, beta, maximizing)]
    while True:
        top = stack[-1]
        if top.waiting:
            child = top.waiting.pop()
            if top.depth == 1 or child.is_terminal():
                take(top, child.evaluate())
            else:
                stack.append(
                    Frame(child, top.depth - 1, top.alpha, top.beta, not top.maximizing)
                )
        else:
            stack.pop()
            if not stack:
                return top.best
            take(stack[-1], top.best)
