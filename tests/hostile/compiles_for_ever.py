"""Contains an expression that overflows the compiler's stack.

Expect: score 0
Expect: says "search.py could not be loaded: "
"""
eval(compile("-" * 900_000 + "1", "deep", "eval"))
raise SystemExit
