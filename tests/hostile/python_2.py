"""Is written for Python 2.

Expect: score 0
Expect: says "search.py could not be loaded: it raised SyntaxError"
Expect: says "the autograder uses Python"
"""
print "hello"
# @HONEST@
