"""The rubric as data: points, shares, the cutoff convention, limits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from autograder.sandbox.conversation import Limits

# How much is said of what is wrong: each says more than the one before.
HINTS = NONE, MISTAKE, LINE, CHANGE = "none", "mistake", "line", "change"
# When students see a row, in Gradescope's words; HIDDEN is never.
VISIBLE, HIDDEN = "visible", "hidden"
VISIBILITIES = VISIBLE, "after_due_date", "after_published", HIDDEN
TITLE = "Minimax and alpha-beta"  # of the assignment, where the rubric has none


@dataclass(frozen=True)
class Rubric:
    """The rubric, checked. `cents` maps function -> points in hundredths.

    It, `weights` and `shares` have just the functions that are asked, in the table's
    order, and `shares` just the aspects that are judged.
    `weights` maps function -> concept -> its part of the function's points, `shares`
    function -> aspect -> per cent of a tree's points. `by_hand_cents` are those of
    byhand.yaml, 0 where the part is off. `hints` is one of HINTS. `title` is the
    assignment's. `visibility` says when students see the rows of hidden trees.
    """

    cents: dict[str, int]
    weights: dict[str, dict[str, Fraction]]
    shares: dict[str, dict[str, float]]
    cutoff: str
    limits: Limits
    by_hand_cents: int = 0
    title: str = TITLE
    hints: str = LINE
    visibility: str = VISIBILITIES[0]

    @property
    def assigned(self) -> dict[str, tuple[str, ...]]:
        """Function -> the aspects that are judged, of the assigned functions."""
        return {function: tuple(shares) for function, shares in self.shares.items()}

    def allows(self, hint: str) -> bool:
        """Tell whether a wrong submission is told that much."""
        return HINTS.index(hint) <= HINTS.index(self.hints)
