"""The limits of all trees, and the values on which programs go wrong.

This module defines the magnitudes and differences of values; the handout states them.
"""

from __future__ import annotations

MAX_FRACTION = 10**9 - 10**-6  # the largest absolute value
MAX_VALUE = 10**9 - 1  # the largest integer
MIN_DIFFERENCE = 10**-6  # between two distinct values
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


# Numbers that programs use as "no value yet" or as infinity.
SENTINELS = _both_signs([0, 1, 2, 9, 10, 99, 100, 999, 1000, 9999, 10_000])
# Numbers that are typical of examples.
FAMILIAR_NUMBERS = _both_signs([*range(18), 20, 25, 30, 33, 42, 50, 64, 75, 99])
MAGNITUDES = _both_signs(
    digit * 10**exponent for exponent in range(3, 9) for digit in (1, 5, 9)
)

# The palettes: the values of one tree. Each palette reveals different mistakes.
PALETTES = (
    (0, 1),
    (1, 2, 3),
    range(-3, 4),
    range(-9, 10),
    (-4, -3, -2, -1),
    (-1.5, -0.5, 0, 0.25, 0.5, 0.500001, 1.5),
    (-20_000, -10_001, -1_001, -100, 0, 100, 1_001, 10_001, 20_000),
    (-995_000_009, -995_000_000, -30_000_000, -20_000_000),
    (20_000_000, 30_000_000, 995_000_000, 995_000_009),
    range(-99, 100),
)


def add_exactly(value, difference):
    """Return the sum without the rounding error of binary fractions."""
    return round(value + difference, DECIMALS)
