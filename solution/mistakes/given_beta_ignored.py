"""ignores the beta that the caller passes to alphabeta.

Start the search from the caller's beta.

Changes: root_loop
Only: MAX MIN
Line: name for number, window, turned window, window by player
Line: dropped in assignment, better value in assignment
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, alpha, math.inf, maximizing)
