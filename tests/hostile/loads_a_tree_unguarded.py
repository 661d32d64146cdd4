"""Loads a tree of the starter at module level, without a guard.

Expect: score 0
Expect: says "gametree.load_tree is not available in the autograder"
"""
from gametree import load_tree

example = load_tree("trees/03-aima-figure-5-2.yaml")
# @HONEST@
