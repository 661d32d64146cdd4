"""Sends printed text to the grader without the limit of print.

Expect: score 80
Expect: says "it used a node that it had not received and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._pipes.send(8, 0, 500, text=b"\x1b[31m\x00\xff" * 71 + b"xyz")
