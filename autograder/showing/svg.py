"""A drawn tree as SVG: a picture for an HTML page, and where each node goes in it.

Sizes are in pixels. Each subtree keeps a strip of its own, as wide as its leaves or
its label need, so no two labels touch, and leaves stand left to right in the order of
the search, on one grid.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass, field
from html import escape

from autograder.plaintext import sanitize_lines
from gametree.support.marks import (
    MISSED,
    NO_LEAF,
    NOT_VISITED,
    PRUNED,
    REPEATED,
    UNNECESSARY,
    VISITED,
)
from gametree.support.saying import say
from gametree.support.views import View, value_text

CLASSES = {
    VISITED: "visited",
    REPEATED: "visited repeated",
    PRUNED: "pruned",
    NOT_VISITED: "pruned",
    UNNECESSARY: "needless",
    MISSED: "missed",
    NO_LEAF: "needless",
}
WITH_SIGN = (UNNECESSARY, MISSED, NO_LEAF)
RADIUS = 20  # of an inner node's triangle
BOX = 15  # half a leaf's height
UP, DOWN = "M0-20 20 16H-20Z", "M0 20 20-16H-20Z"
LEVEL = 84
LEAF, GAP = 32, 12
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 34, 40
UNIFORM = 72  # leaves wider than this do not widen the others
SHORT_NAME = 2  # characters that fit into a triangle
SIZE_VALUE, SIZE_NAME = 15, 12


def text(string: str) -> str:
    """Return any text as HTML: escaped, and without what cannot be printed."""
    return escape("\n".join(sanitize_lines(str(string))), quote=True)


def tree_svg(
    root: View, label: str, description: str, key: str, chosen: tuple | None = None
) -> str:
    """Return the SVG element of a View, to stand in an HTML page.

    label: its title, read first by a screen reader.
    description: the terminal drawing, for those who do not see this one.
    key: a word that no other drawing on the page has; its parts have ids from it.
    chosen: the path of the node that a move leads to; its edge is drawn thick.
    """
    layout = lay_out(root)
    parts = [
        f'<svg class="tree" role="img" aria-labelledby="{key}t" aria-describedby="{key}d"'
        f' width="{layout.width}" height="{layout.height}"'
        f' viewBox="0 0 {layout.width} {layout.height}">'
        f'<title id="{key}t">{text(label)}</title>'
        f'<desc id="{key}d">{text(description)}</desc>'
    ]
    parts += _players(layout.spots)
    parts += [_edge(spot, chosen) for spot in layout.spots[1:]]
    parts += map(_node, layout.spots)
    return "".join(parts) + "</svg>"


def _players(spots):
    """Label each ply that has an inner node with who moves there."""
    players = {spot.y: spot.view.player for spot in spots if not spot.view.leaf}
    return [
        f'<text class="ply" x="8" y="{y + 4}">{who}</text>' for y, who in players.items()
    ]


def _edge(spot, chosen):
    """Draw the edge to a spot from its parent, crossed off where a cutoff prunes it."""
    above = spot.parent
    x1, y1 = above.x, above.y + _reach(above, not above.view.maximizing)
    x2, y2 = spot.x, spot.y - _reach(spot, spot.view.maximizing)
    if above.view.leaf:
        y1 += 22  # below its name
    mark = spot.view.mark
    kind = CLASSES.get(mark, "") + " chosen" * (spot.view.path == chosen)
    line = f'<path class="line" d="M{x1:g} {y1:g} {x2:g} {y2:g}"/>'
    if mark is PRUNED and above.view.reached:
        x, y = x1 + 0.66 * (x2 - x1), y1 + 0.66 * (y2 - y1)
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
        place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"'
        line += f'<path class="slash" {place} d="M-8 9 2-9M-2 9 8-9"/>'
    return f'<g class="edge {kind.strip()}">{line}</g>'


def _reach(spot, pointed):
    """Return how far a shape reaches from its centre: a leaf's, or a triangle's side."""
    return BOX if spot.view.leaf else 20 if pointed else 16


def _node(spot):
    inside = _box(spot) if spot.view.leaf else _triangle(spot)
    mark = spot.view.mark
    if mark in WITH_SIGN:
        x, y = (spot.half, -BOX) if spot.view.leaf else (4 - RADIUS, -BOX)
        inside += (
            f'<g class="badge"><circle cx="{x:g}" cy="{y}" r="8"/>'
            f'<text x="{x:g}" y="{y + 4.5}">{mark.sign}</text></g>'
        )
    kind = f"node {'leaf' if spot.view.leaf else 'inner'} {CLASSES.get(mark, '')}"
    if spot.more:
        inside += f'<text class="name" y="{RADIUS + 16}">{text(spot.more)}</text>'
    place = f'transform="translate({spot.x:g} {spot.y})"'
    return f'<g class="{kind.strip()}" {place}>{inside}</g>'


def _box(spot):
    half = spot.half
    frame = f'x="{-half:g}" y="{-BOX}" width="{2 * half:g}" height="{2 * BOX}" rx="4"'
    behind = f'<rect class="second" transform="translate(4 4)" {frame}/>'
    return (
        (behind if spot.view.mark is REPEATED else "")
        + f'<rect class="shape" {frame}/>'
        + f'<text class="value" y="5.5">{text(value_text(spot.view))}</text>'
        + f'<text class="name" y="{BOX + 16}">{text(spot.label)}</text>'
    )


def _triangle(spot):
    shape = UP if spot.view.maximizing else DOWN
    if spot.name_inside:
        place = f'y="{10 if spot.view.maximizing else 1}"'
    else:
        nearer = 6 if spot.view.maximizing else 0
        place = f'class="beside" x="{RADIUS + 4 - nearer}" y="-8"'
    return f'<path class="shape" d="{shape}"/><text {place}>{text(spot.view.name)}</text>'


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
    def label(self):
        """The name as it is written: with dots where a leaf has children below."""
        below = self.view.leaf and not (self.view.position.terminal or self.view.children)
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


def lay_out(root: View) -> Layout:
    """Return the Layout of a View."""
    spots = []
    _collect(root, None, spots)
    boxes = [2 * spot.before for spot in spots if spot.view.leaf]
    widest = max((box for box in boxes if box <= UNIFORM), default=LEAF)
    for spot in reversed(spots):
        own = max(widest, 2 * spot.before) if spot.view.leaf else spot.before + spot.after
        spot.width = max(own, _row(spot))
    _put(spots[0], LEFT)
    for spot in spots:
        spot.y = TOP + LEVEL * len(spot.view.path)
    width = LEFT + spots[0].width + RIGHT
    return Layout(spots, round(width), round(max(spot.y for spot in spots) + BOTTOM))


def _collect(view, parent, spots):
    spot = Spot(view, parent, RADIUS, RADIUS, RADIUS)
    spots.append(spot)
    if view.leaf:
        spot.half = max(LEAF, text_width(value_text(view), SIZE_VALUE) + 14) / 2
        spot.before = max(spot.half, text_width(spot.label, SIZE_NAME) / 2 + 2)
        spot.after = spot.before
    elif not spot.name_inside:
        spot.after = max(spot.after, RADIUS + 8 + text_width(view.name, SIZE_VALUE))
    if view.hidden != 0:
        spot.more = "…" if view.hidden is None else say("report.hidden", count=view.hidden)
    spot.spots = [_collect(child, spot, spots) for child in view.children]
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
    if not spot.view.leaf:
        middle = max(left + spot.before, min(middle, left + spot.width - spot.after))
    spot.x = round(middle, 1)


def text_width(text: str, size: float) -> float:
    """Return a width that the text will not exceed in usual fonts of this size."""
    return size * sum(map(_share, text))


def _share(character):
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.85 if character in "MWmw@%—" else 0.7 if character.isupper() else 0.6
