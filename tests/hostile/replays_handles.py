"""Stores the node of the first search and evaluates it in later searches.

Expect: score 0
Expect: says "it used or returned a node that this search had not given it"
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
