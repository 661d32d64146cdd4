"""negates the values of minimax, so it chooses for the other player.

minimax returns the value for MAX at every node. Compare the values as they are.

Line: minus dropped
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    best = -math.inf if maximizing else math.inf
    move = None
    for child in node.children:
        score = -minimax(child, depth - 1, not maximizing)
        if (score > best) if maximizing else (score < best):
            best = score
            move = child
    return move
