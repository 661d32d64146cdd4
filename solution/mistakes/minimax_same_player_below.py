"""lets the same player move at every ply.

Pass the other player to the recursive call of minimax.

Changes: move_by_alphabeta
Line: player
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, maximizing))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, maximizing))
    return best
