"""Never finishes loading.

Expect: score 0
Expect: says "search.py could not be loaded: it ran out of time"
"""
while True:
    pass
