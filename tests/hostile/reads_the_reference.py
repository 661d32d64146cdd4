"""Runs the file of the reference instead of its own search.

Expect: score 0
Expect: says "search.py could not be loaded: it raised FileNotFoundError"
"""
exec(open("@HOME@/source/solution/search.py").read())
