"""Keeps the nodes of the first run and asks them again in the second.

Expect: score 0
Expect: says "a second search of the same tree went differently"
"""
kept = []


def minimax(node, depth, maximizing):
    kept.append(node)
    return kept[0].evaluate()


def alphabeta(node, depth, alpha, beta, maximizing):
    kept.append(node)
    return kept[0].evaluate()


def best_move(node, depth, maximizing):
    kept.append(node)
    return kept[0].children[0]
