"""Raises an exception whose __str__ never returns.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
# @HONEST@


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def best_move(node, depth, maximizing):
    raise Endless
