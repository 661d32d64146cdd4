"""Imports a package that is not installed.

Expect: score 0
Expect: says "it raised ModuleNotFoundError: No module named 'numpy' (search.py, line 7)"
Expect: says "the autograder has only the standard library of Python"
"""
import numpy as np
# @HONEST@
