"""Opens a hidden tree by its path.

Expect: score 80
Expect: says "it raised FileNotFoundError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    with open("@HOME@/source/trees/hidden/01-large.yaml") as file:
        raise RuntimeError("BREACH " + file.read())
