"""The limits of all trees; the handout states them."""

from __future__ import annotations

MAX_FRACTION = 10**9 - 10**-6  # the largest absolute value
MAX_VALUE = 10**9 - 1  # the largest integer
MIN_DIFFERENCE = 10**-6  # between two distinct values
MAX_TIE = 10**6  # the largest absolute value of two equal leaves, or of a leaf and a bound
DECIMALS = 6  # digits after the point
MAX_CHILDREN = 9
MAX_PLIES = 12
MAX_DEPTH = 30
MAX_VISITS = 500  # by a correct search


def add_exactly(value, difference):
    """Return the sum without the rounding error of binary fractions."""
    return round(value + difference, DECIMALS)
