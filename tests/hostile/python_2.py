"""Is written for Python 2.

Expect: score 0
Expect: says "search.py could not be loaded: it raised SyntaxError"
"""
print "hello"
# @HONEST@
