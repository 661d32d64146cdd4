"""Catches every exception that would end it and continues.

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
