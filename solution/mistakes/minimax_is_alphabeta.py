"""Your minimax is a call of alphabeta, so it leaves out what alphabeta prunes.

Write the search of minimax itself, without a window: it visits every leaf.

Changes: move_by_alphabeta
Shows: minimax missing
"""


def minimax(node, depth, maximizing):
    return alphabeta(node, depth, -math.inf, math.inf, maximizing)
