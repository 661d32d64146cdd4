"""Searches the loaded modules for those of the grader.

Expect: score 100
"""
import sys

# @HONEST@

for _name, _module in list(sys.modules.items()):
    if _name.startswith(("autograder", "yaml", "gradescope_utils", "hardening", "solution")):
        raise RuntimeError(f"BREACH {_name}")
    if "@HOME@" in str(getattr(_module, "__file__", "")):
        raise RuntimeError(f"BREACH {_module.__file__}")
