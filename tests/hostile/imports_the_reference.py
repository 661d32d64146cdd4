"""Puts the grader's folders on its path and imports the reference from there.

Expect: score 0
Expect: says "search.py could not be loaded: it raised ModuleNotFoundError"
"""
import sys

sys.path[:0] = ["@HOME@/source", "@HOME@/source/solution"]
sys.modules.pop("search")
import search
from autograder.kit.loading import load_reference

minimax = search.minimax
