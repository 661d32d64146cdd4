"""Puts its own finder before all others and clears sys.modules.

Expect: score 100
"""
import sys

# @HONEST@


class Finder:
    def find_spec(self, *_):
        raise RuntimeError("BREACH the grader imports through a student's finder")


sys.meta_path.insert(0, Finder())
sys.path.clear()
for name in list(sys.modules):
    if name not in ("sys", "builtins", "search"):
        sys.modules.pop(name)
