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

# Palettes: the values of one tree. Each palette reveals different mistakes.
BINARY = (0, 1)
ONE_TO_THREE = (1, 2, 3)
NEAR_ZERO = range(-3, 4)
ONE_DIGIT = range(-9, 10)
NEGATIVE = (-4, -3, -2, -1)
FRACTIONS = (-1.5, -0.5, 0, 0.25, 0.5, 0.500001, 1.5)
LARGE = (-20_000, -10_001, -1_001, -100, 0, 100, 1_001, 10_001, 20_000)
VAST_NEGATIVE = (-995_000_009, -995_000_000, -30_000_000, -20_000_000)
VAST_POSITIVE = (20_000_000, 30_000_000, 995_000_000, 995_000_009)
TWO_DIGITS = range(-99, 100)
PALETTES = (
    BINARY,
    ONE_TO_THREE,
    NEAR_ZERO,
    ONE_DIGIT,
    NEGATIVE,
    FRACTIONS,
    LARGE,
    VAST_NEGATIVE,
    VAST_POSITIVE,
    TWO_DIGITS,
)


def draw_large_values(rng):
    """Return values close to powers of ten, up to the largest, in order."""
    sign = rng.choice((1, -1, 0))  # of all values; 0 draws one for each
    values = {MAX_VALUE, -MAX_VALUE}
    values.add(MAX_VALUE - rng.randint(9, 99))
    values.add(rng.randint(9, 99) - MAX_VALUE)
    for exponent in range(4, 9):
        power = 10**exponent
        below = power - rng.randint(1, 9)
        above = power + rng.randint(1, power // 2)
        for number in (power, below, above):
            own_sign = sign or rng.choice((1, -1))
            values.add(own_sign * number)
    return sorted(values)


MIDDLES = (0, 0, 0.5, -0.5, 1, -3, 1000, -1002, 2000.5)


def draw_close_values(rng):
    """Return values around one number that differ by 10^-1 to 10^-6, in order."""
    middle = rng.choice(MIDDLES)
    steps = set()
    for exponent in range(1, DECIMALS + 1):
        step = 10**-exponent
        if step > 2e-9 * abs(middle):  # math.isclose() treats closer values as equal
            steps |= {step, -step}
    for _ in range(5):
        factor = rng.randint(-9, 9)
        steps.add(factor * 10**-5)
    return sorted({add_exactly(middle, step) for step in steps})


def add_exactly(value, difference):
    """Return the sum without the rounding error of binary fractions."""
    return round(value + difference, DECIMALS)
