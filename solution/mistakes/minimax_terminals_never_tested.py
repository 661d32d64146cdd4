"""stops only at depth 0, so it never evaluates an early terminal.

Minimax must evaluate at terminals too.

Changes: move_by_alphabeta
Line: leaf test
Shows: minimax missing value
"""


def minimax(node, depth, maximizing):
    if depth == 0:
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
