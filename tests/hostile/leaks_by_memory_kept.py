"""Keeps what it sees in every module and table that might survive to the next tree.

Expect: score 80
Expect: says "it raised RuntimeError: nothing was left"
"""
import builtins
from gametree import Node
import math
import sys

# @HONEST@


def best_move(node, depth, maximizing):
    here = [child.name for child in node.children]
    notes = [getattr(place, "noted", None) for place in (builtins, Node, math, sys)]
    if any(note and note != here for note in notes):
        raise RuntimeError("BREACH a note from an earlier tree")
    for place in (builtins, Node, math, sys):
        place.noted = here
    raise RuntimeError("nothing was left")
