"""Runs the reference's file instead of writing a search.

Expect: score 0
Expect: says "search.py could not be loaded: it raised PermissionError"
"""
exec(open("@HOME@/source/solution/search.py").read())
