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
    """The rubric, checked. It names the assigned functions only, in the table's order.

    cents: function -> its points, in hundredths.
    weights: function -> concept -> its part of the function's points.
    shares: function -> aspect that is judged -> per cent of a tree's points.
    cutoff: the convention, "equality" or "strict".
    limits: of a submission's processes.
    by_hand_cents: the points of byhand.yaml, in hundredths; 0 where the part is off.
    title: the assignment's title.
    hints: how much a wrong submission is told, one of HINTS.
    visibility: when students see the rows of hidden trees, one of VISIBILITIES.
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
