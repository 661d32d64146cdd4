"""Searches all objects of the garbage collector for the values of a tree.

Expect: score 100
"""
import gc

# @HONEST@

gc.unfreeze()
_everything = gc.get_objects()
for _thing in _everything:
    if type(_thing).__name__ in ("Position", "Tree", "Search", "Trace", "Task"):
        raise RuntimeError(f"BREACH {_thing!r}")
for _thing in gc.get_referents(*_everything):
    if type(_thing) is float and (31336 <= _thing <= 31341 or 41551 <= _thing <= 41558):
        raise RuntimeError(f"BREACH {_thing!r}")
