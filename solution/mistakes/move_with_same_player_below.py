"""searches the moves as if the same player moved again.

After a move it is the other player's turn: pass the other player to the search.

Line: player
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = minimax(child, depth - 1, maximizing)
        better = score > best if maximizing else score < best
        if better:
            best = score
            move = child
    return move
