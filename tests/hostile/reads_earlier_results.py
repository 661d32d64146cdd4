"""Reads results.json of an earlier grading, and the queue of other submissions.

Expect: score 80
Expect: says "it raised FileNotFoundError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    refused = None
    for name in ("results/results.json", "submission/search.py", "queue/no_cutoff/search.py"):
        try:
            raise RuntimeError("BREACH " + open("@HOME@/" + name).read())
        except OSError as error:
            refused = error
    raise refused
