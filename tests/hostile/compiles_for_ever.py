"""Holds an expression that takes the compiler's whole stack.

Expect: score 0
Expect: says "search.py could not be loaded: "
"""
eval(compile("-" * 900_000 + "1", "deep", "eval"))
raise SystemExit
