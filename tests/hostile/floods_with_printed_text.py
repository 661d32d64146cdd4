"""Sends printed text to the grader without the limit of print.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._pipes.send(8, 0, 500, text=b"\x1b[31m\x00\xff" * 71 + b"xyz")
