"""stores its moves by value, so a later equal move replaces the first.

Store a move only if its value is not in the dictionary yet.

Line: first kept
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    moves = {}
    for child in node.children:
        moves[minimax(child, depth - 1, not maximizing)] = child
    if maximizing:
        return moves[max(moves)]
    return moves[min(moves)]
