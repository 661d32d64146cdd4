"""starts the best value at 0.

Start minimax at minus infinity for MAX and at plus infinity for MIN.

Changes: move_by_alphabeta
Line: starting value, infinity by player
Shows: minimax value
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = 0
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = 0
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    return best
