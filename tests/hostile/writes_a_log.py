"""Writes a log of its own while it searches.

Expect: score 80
Expect: says "it raised PermissionError"
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    with open("log.txt", "a") as log:
        log.write("searching\n")
    return _honest(node, depth, maximizing)
