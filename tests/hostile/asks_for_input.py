"""Asks the user for a depth while it is loaded.

Expect: score 0
Expect: says "search.py could not be loaded: it raised EOFError"
Expect: says "in the autograder nobody answers input()"
"""
DEPTH = int(input("How deep? "))
# @HONEST@
