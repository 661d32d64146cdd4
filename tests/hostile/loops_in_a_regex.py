"""Matches a regular expression that takes forever.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
import re

# @HONEST@


def best_move(node, depth, maximizing):
    return re.match("(a|aa)+$", "a" * 200 + "b")
