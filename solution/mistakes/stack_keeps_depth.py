"""gives all nodes on its stack the depth of the root.

Push each child with the depth of its parent minus 1.

Changes: explicit_stack
Shows: alphabeta missing extra value
"""


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
                    Frame(child, top.depth, top.alpha, top.beta, not top.maximizing)
                )
        else:
            stack.pop()
            if not stack:
                return top.best
            take(stack[-1], top.best)
