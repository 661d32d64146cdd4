"""compares with the first call's beta at MAX nodes, not the node's beta.

Compare with the bound that the node was given, which MIN nodes above it have lowered.

Changes: closures
Line: name in if, cutoff
Shows: alphabeta extra
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
                closed = best >= beta  # cutoff
            else:
                best = min(best, score)
                high = min(high, best)
                closed = best <= low  # cutoff
            if closed:
                break
        return best

    return search(node, depth, alpha, beta, maximizing)
