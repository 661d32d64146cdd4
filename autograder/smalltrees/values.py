"""The limits of all trees, and the values on which programs go wrong.

This module defines the magnitudes and differences of values; the handout states them.
"""

from __future__ import annotations

from autograder.ground.files import load_data

MAX_FRACTION = 10**9 - 10**-6  # the largest absolute value
MAX_VALUE = 10**9 - 1  # the largest integer
MIN_DIFFERENCE = 10**-6  # between two distinct values
MAX_TIE = 10**6  # the largest absolute value of two equal leaves, or of a leaf and a bound
DECIMALS = 6  # digits after the point
MAX_CHILDREN = 9
MAX_PLIES = 12
MAX_DEPTH = 30
MAX_VISITS = 500  # by a correct search


def _both_signs(numbers):
    """Return the numbers and their negatives, in order."""
    positive = set(numbers)
    negative = {-number for number in positive}
    return sorted(positive | negative)


def palette_of(entry):
    """Return the values of a palette, given as a list or as a range of integers."""
    if isinstance(entry, list):
        return entry
    return range(entry["from"], entry["to"] + 1)


VALUES = load_data("values.yaml", __file__)
SENTINELS = _both_signs(VALUES["sentinels"])
FAMILIAR_NUMBERS = _both_signs(VALUES["familiar"])
MAGNITUDES = _both_signs(
    digit * 10**exponent for exponent in range(3, 9) for digit in (1, 5, 9)
)
PALETTES = list(map(palette_of, VALUES["palettes"]))


def add_exactly(value, difference):
    """Return the sum without the rounding error of binary fractions."""
    return round(value + difference, DECIMALS)
