"""Never returns.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        pass
