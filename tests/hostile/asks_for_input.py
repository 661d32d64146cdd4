"""Calls input() while it is loaded.

Expect: score 0
Expect: says "search.py could not be loaded: it raised EOFError"
Expect: says "input() is not available in the autograder"
"""
DEPTH = int(input("How deep? "))
# @HONEST@
