"""The row of the extra credit: its name, its number, what it says."""

from __future__ import annotations

from autograder.judging.ordering import FUNCTION, WANTED
from autograder.judging.verdict import ASPECTS

NAME = f"{FUNCTION}: extra credit, good children first"
NUMBER = f"{len(ASPECTS) + 1}.01"  # after the rows of the functions
COLUMN = "Nodes saved by move ordering, %"


def extra_text(ordering):
    """Return what a student reads of an Ordering."""
    lines = [f"right on {ordering.right} of {ordering.trees} trees"]
    if ordering.right < ordering.trees:
        lines.append("points begin where every value is right, and proven by its leaves")
    else:
        lines.append(
            f"{percent(ordering)} % fewer nodes expanded than from left to right; "
            f"{WANTED:.0%} earn full points"
        )
    return "\n".join(lines)


def percent(ordering):
    """Return the share of nodes saved in per cent, with one decimal."""
    return round(100 * ordering.saved, 1)
