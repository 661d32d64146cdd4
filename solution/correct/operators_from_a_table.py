"""Looks up the start value, min or max, and the comparison in a table by player."""

import operator

PLAYERS = {
    True: (-math.inf, max, operator.gt),
    False: (math.inf, min, operator.lt),
}


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best, choose, _ = PLAYERS[maximizing]
    for child in node.children:
        best = choose(best, minimax(child, depth - 1, not maximizing))
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best, choose, _ = PLAYERS[maximizing]
    bounds = [alpha, beta]
    own = 0 if maximizing else 1
    for child in node.children:
        best = choose(best, alphabeta(child, depth - 1, *bounds, not maximizing))
        bounds[own] = choose(bounds[own], best)
        if bounds[0] >= bounds[1]:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    best, _, better = PLAYERS[maximizing]
    move = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if better(score, best):
            best, move = score, child
    return move
