"""Imports a package that is not there.

Expect: score 0
Expect: says "it raised ModuleNotFoundError: No module named 'numpy' (search.py, line 6)"
"""
import numpy as np
# @HONEST@
