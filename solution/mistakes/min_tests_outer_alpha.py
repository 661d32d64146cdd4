"""compares with the first call's alpha at MIN nodes, not the node's alpha.

Compare with the bound that the node was given, which MAX nodes above it have raised.

Changes: closures
Line: name in if, cutoff
Shows: alphabeta extra
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    def search(node, depth, low, high, maximizing):
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = search(child, depth - 1, low, high, not maximizing)
            if maximizing:
                best = max(best, score)
                low = max(low, best)
                closed = best >= high  # cutoff
            else:
                best = min(best, score)
                high = min(high, best)
                closed = best <= alpha  # cutoff
            if closed:
                break
        return best

    return search(node, depth, alpha, beta, maximizing)
