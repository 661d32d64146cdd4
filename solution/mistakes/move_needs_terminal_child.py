"""considers only moves that end the game at depth 1.

Consider every child: at depth 1 a child that is not terminal has a static value.

Shows: best_move move
"""


def best_move(node, depth, maximizing):
    moves = node.children
    if depth == 1:
        moves = [child for child in moves if child.is_terminal()] or moves
    choose = max if maximizing else min
    return choose(moves, key=lambda child: minimax(child, depth - 1, not maximizing))
