"""Where each node of a drawn tree goes, in pixels: no two labels ever touch.

Each subtree keeps a strip of its own, as wide as its leaves or its label need, so
leaves stand left to right in the order of the search, on one grid.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from gametree.view import View, value_text

RADIUS = 20
LEVEL = 84
LEAF, GAP = 32, 12
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 34, 40
UNIFORM = 72  # leaves wider than this do not widen the others
SHORT_NAME = 2  # characters that fit into a triangle
SIZE_VALUE, SIZE_NAME, SIZE_BOUND = 15, 12, 13


@dataclass
class Spot:
    """A node on the page: its centre, half its shape's width, its parent's spot.

    `before` and `after` are how far it and its labels reach from the centre. `more`
    is the label of what is left out below it, "" where nothing is.
    """

    view: View
    parent: Spot | None
    before: float
    after: float
    half: float
    x: float = 0
    y: float = 0
    width: float = 0
    more: str = ""
    spots: list = field(default_factory=list)

    @property
    def boxed(self):
        """Whether it is drawn as a leaf's box, not as a triangle."""
        return self.view.leaf

    @property
    def label(self):
        """The name as it is written: with dots where a leaf has children below."""
        below = self.boxed and not (self.view.position.terminal or self.view.children)
        return f"{self.view.name} …" if below else self.view.name

    @property
    def name_inside(self):
        """Whether the name of an inner node fits into its triangle."""
        return len(self.view.name) <= SHORT_NAME


@dataclass(frozen=True)
class Layout:
    """The spots of a drawing, parents first and left to right, and its size."""

    spots: list
    width: int
    height: int


def text_width(text, size):
    """Return a width that the text will not exceed in usual fonts of this size."""
    return size * sum(map(_share, text))


def _share(character):
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.85 if character in "MWmw@%—" else 0.7 if character.isupper() else 0.6


def lay_out(root, beside=0):
    """Return the Layout of a View.

    `beside`: pixels kept free on both sides of an inner node, for its window.
    """
    spots = []
    _collect(root, None, beside, spots)
    boxes = [2 * spot.before for spot in spots if spot.boxed]
    widest = max((box for box in boxes if box <= UNIFORM), default=LEAF)
    for spot in reversed(spots):
        own = max(widest, 2 * spot.before) if spot.boxed else spot.before + spot.after
        spot.width = max(own, _row(spot))
    _put(spots[0], LEFT)
    for spot in spots:
        spot.y = TOP + LEVEL * len(spot.view.path)
    width = LEFT + spots[0].width + RIGHT
    return Layout(spots, round(width), round(max(spot.y for spot in spots) + BOTTOM))


def _collect(view, parent, beside, spots):
    spot = Spot(view, parent, RADIUS + beside, RADIUS + beside, RADIUS)
    spots.append(spot)
    if view.leaf:
        spot.half = max(LEAF, text_width(value_text(view), SIZE_VALUE) + 14) / 2
        spot.before = max(spot.half, text_width(spot.label, SIZE_NAME) / 2 + 2)
        spot.after = spot.before
    elif not spot.name_inside:
        spot.after = max(spot.after, RADIUS + 8 + text_width(view.name, SIZE_VALUE))
    if view.hidden != 0:
        spot.more = "…" if view.hidden is None else f"… {view.hidden:,} more"
    spot.spots = [_collect(child, spot, beside, spots) for child in view.children]
    return spot


def _row(spot):
    """Return the width of a spot's children, and of the label after them."""
    extra = [text_width(spot.more, SIZE_NAME)] if spot.more else []
    widths = [child.width for child in spot.spots] + extra
    return sum(widths) + GAP * (len(widths) - 1) if widths else 0


def _put(spot, left):
    at = left + (spot.width - _row(spot)) / 2
    for child in spot.spots:
        _put(child, at)
        at += child.width + GAP
    middle = left + spot.width / 2
    if spot.spots and not spot.more:
        middle = (spot.spots[0].x + spot.spots[-1].x) / 2
    if not spot.boxed:
        middle = max(left + spot.before, min(middle, left + spot.width - spot.after))
    spot.x = round(middle, 1)
