"""Replaces unittest and gradescope_utils, so that every test would pass.

Expect: score 0
Expect: says "search.py has no function with this name"
"""
import sys
import types
import unittest

unittest.TestCase.run = lambda self, result=None: result
unittest.TestCase.assertEqual = lambda *_: None
for name in ("gradescope_utils", "gradescope_utils.autograder_utils",
             "gradescope_utils.autograder_utils.json_test_runner"):
    sys.modules[name] = types.ModuleType(name)
