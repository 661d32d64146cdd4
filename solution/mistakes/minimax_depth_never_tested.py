"""stops only at terminals and ignores the depth.

Minimax must evaluate at depth 0 too.

Changes: move_by_alphabeta
Line: leaf test
Shows: minimax missing no-leaf value
"""


def minimax(node, depth, maximizing):
    if node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    return best
