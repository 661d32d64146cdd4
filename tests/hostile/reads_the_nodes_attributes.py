"""Searches all attributes and closures of a node before it visits one.

Expect: score 100
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    seen, ahead = set(), [node]
    while ahead:
        thing = ahead.pop()
        if id(thing) in seen or len(seen) > 5000:
            continue
        seen.add(id(thing))
        if isinstance(thing, float) and abs(thing) not in (0.0, float("inf")):
            raise RuntimeError(f"BREACH {thing}")
        ahead += list(getattr(thing, "__dict__", {}).values())
        ahead += list(getattr(thing, "__closure__", None) or ())
        if hasattr(thing, "cell_contents"):
            ahead.append(thing.cell_contents)
        if isinstance(thing, (list, tuple, set)):
            ahead += thing
    return _honest(node, depth, maximizing)
