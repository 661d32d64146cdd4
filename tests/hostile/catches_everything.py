"""Catches whatever ends it and goes on.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            continue
