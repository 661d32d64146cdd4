"""Writes results.json itself.

Expect: score 0
Expect: says "search.py could not be loaded: it raised PermissionError"
"""
with open("@HOME@/results/results.json", "w") as file:
    file.write('{"score": 100, "tests": []}')
