"""is an alpha-beta search, so it skips leaves that minimax must visit.

Write minimax as a search of its own without a window, which visits every leaf.

Changes: move_by_alphabeta
Line: function
Shows: minimax missing
"""


def minimax(node, depth, maximizing):
    return alphabeta(node, depth, -math.inf, math.inf, maximizing)
