"""Searches its callers' frames for a tree or an expected answer.

Expect: score 100
"""
import sys

# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    frame = sys._getframe()
    while frame is not None:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if type(value).__name__ in ("Position", "Tree", "Task", "Kit", "Trace"):
                raise RuntimeError(f"BREACH {name} {value!r}")
            if name in ("tree", "expected", "kit", "reference", "verdict"):
                raise RuntimeError(f"BREACH {name} {value!r}")
        frame = frame.f_back
    return _honest(node, depth, maximizing)
