"""caches values by node.name, so values of other searches return.

Remove the table: minimax visits no node twice anyway.

Changes: move_by_alphabeta
Shows: minimax later missing
"""

known = {}


def minimax(node, depth, maximizing):
    if node.name in known:
        return known[node.name]
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    known[node.name] = best
    return best
