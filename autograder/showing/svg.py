"""Draw a tree as SVG for an HTML page, and compute the place of each node.

Sizes are in pixels. Each subtree has its own strip, which is wide enough for its leaves and
its label, so that labels never touch. Leaves are drawn from left to right in search order.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass, field
from html import escape

from autograder.ground.plaintext import sanitize_lines
from gametree.support.marks import (
    MISSED,
    NOT_A_LEAF,
    NOT_EVALUATED,
    PRUNED,
    REPEATED,
    UNNECESSARY,
    VISITED,
)
from gametree.support.texts import in_words, sentence
from gametree.support.views import View

CLASSES = {
    VISITED: "visited",
    REPEATED: "visited repeated",
    PRUNED: "pruned",
    NOT_EVALUATED: "pruned",
    UNNECESSARY: "needless",
    MISSED: "missed",
    NOT_A_LEAF: "needless",
}
WITH_SIGN = (UNNECESSARY, MISSED, NOT_A_LEAF)
RADIUS = 20  # of an inner node's triangle
BOX = 15  # half a leaf's height
UP = "M0-20 20 16H-20Z"  # the triangle of a MAX node
DOWN = "M0 20 20-16H-20Z"  # the triangle of a MIN node
LEVEL = 84  # distance between two plies
LEAF = 32  # a leaf's least width
GAP = 12  # between subtrees
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 34, 40  # margins
SHORT_NAME = 2  # characters that fit into a triangle
SIZE_VALUE = 15  # of a value's font
SIZE_NAME = 12  # of a name's font


def text(string: str) -> str:
    """Return a text as HTML: escaped, and without unprintable characters."""
    return escape("\n".join(sanitize_lines(str(string))), quote=True)


def tree_svg(root: View, label: str, key: str, chosen: tuple | None = None) -> str:
    """Return the SVG element of a View, for an HTML page.

    label: its title, which a screen reader reads first.
    key: a word that is unique on the page; the ids of the drawing begin with it.
    chosen: the path of the node that a move leads to. The edge to it is drawn thick.
    """
    layout = lay_out(root)
    parts = [
        f'<svg class="tree" role="img" aria-labelledby="{key}t" aria-describedby="{key}d"'
        f' width="{layout.width}" height="{layout.height}"'
        f' viewBox="0 0 {layout.width} {layout.height}"'
        f' style="--width:{layout.width}px">'
        f'<title id="{key}t">{text(label)}</title>'
        f'<desc id="{key}d">{text(describe(root))}</desc>'
    ]
    parts += _players(layout.spots)
    parts += [_edge(spot, chosen) for spot in layout.spots[1:]]
    parts += map(_node, layout.spots)
    return "".join(parts) + "</svg>"


def describe(root: View) -> str:
    """Describe a drawing in sentences for screen readers."""
    sentences = []
    for view in root.everything():
        below = [_describe_node(child) for child in view.children]
        if view.hidden and view.children:
            below.append(sentence("report page.hidden", count=view.hidden))
        if below:
            children = sentence(
                "report page.children",
                node=_describe_node(view),
                children=in_words(below),
                count=len(below),
            )
            sentences.append(children)
    return " ".join(sentences) or f"{_describe_node(root)}."


def _describe_node(view):
    """Return a node in words, such as "B (MIN)" or "b1 = 3 (visited)"."""
    meaning = view.mark.meaning if view.mark else ""
    if view.leaf:
        name = f"{view.name} = {view.value}"
        return f"{name} ({meaning})" if meaning else name
    if view.mark in (None, VISITED):
        return f"{view.name} ({view.player})"
    return f"{view.name} ({view.player}, {meaning})"


def _players(spots):
    """Label each ply that has an inner node with the player to move."""
    players = {spot.y: spot.view.player for spot in spots if not spot.view.leaf}
    return [
        f'<text class="ply" x="8" y="{y + 4}">{player}</text>'
        for y, player in players.items()
    ]


def _edge(spot, chosen):
    """Draw the edge from a spot's parent, crossed off if a cutoff prunes the spot."""
    above = spot.parent
    top = above.y + _reach(above, not above.view.maximizing)
    if above.view.leaf:
        top += 22  # below its name
    bottom = spot.y - _reach(spot, spot.view.maximizing)
    mark = spot.view.mark
    parts = [f'<path class="line" d="M{above.x:g} {top:g} {spot.x:g} {bottom:g}"/>']
    if mark is PRUNED and above.view.reached:
        parts.append(_slash(above.x, top, spot.x, bottom))
    kind = f"edge {CLASSES.get(mark, '')}".strip()
    if mark is NOT_EVALUATED and spot.view.reached:
        kind = "edge"  # the search followed this branch
    if spot.view.path == chosen:
        kind += " chosen"
    return f'<g class="{kind}">{"".join(parts)}</g>'


def _slash(x1, y1, x2, y2):
    """Return the two strokes that cross off a line from (x1, y1) to (x2, y2)."""
    x = x1 + 0.66 * (x2 - x1)
    y = y1 + 0.66 * (y2 - y1)
    turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
    place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"'
    return f'<path class="slash" {place} d="M-8 9 2-9M-2 9 8-9"/>'


def _reach(spot, is_pointed):
    """Return the vertical reach of a leaf, or of a pointed or flat side of a triangle."""
    if spot.view.leaf:
        return BOX
    return 20 if is_pointed else 16


def _node(spot):
    view = spot.view
    parts = [_box(spot) if view.leaf else _triangle(spot)]
    if view.mark in WITH_SIGN:
        parts.append(_badge(spot))
    if spot.more:
        parts.append(f'<text class="name" y="{RADIUS + 16}">{text(spot.more)}</text>')
    shape = "leaf" if view.leaf else "inner"
    kind = f"node {shape} {CLASSES.get(view.mark, '')}".strip()
    place = f'transform="translate({spot.x:g} {spot.y})"'
    return f'<g class="{kind}" {place}>{"".join(parts)}</g>'


def _badge(spot):
    """Return the round badge with the sign of a mark."""
    x = spot.half if spot.view.leaf else 4 - RADIUS
    return (
        f'<g class="badge"><circle cx="{x:g}" cy="{-BOX}" r="8"/>'
        f'<text x="{x:g}" y="{4.5 - BOX}">{spot.view.mark.sign}</text></g>'
    )


def _box(spot):
    """Return a leaf: its box, its value and its name."""
    half = spot.half
    frame = f'x="{-half:g}" y="{-BOX}" width="{2 * half:g}" height="{2 * BOX}" rx="4"'
    box = f'<rect class="shape" {frame}/>'
    if spot.view.mark is REPEATED:
        box = f'<rect class="second" transform="translate(4 4)" {frame}/>{box}'
    return (
        f'{box}<text class="value" y="5.5">{text(spot.view.value)}</text>'
        f'<text class="name" y="{BOX + 16}">{text(spot.label)}</text>'
    )


def _triangle(spot):
    """Return an inner node: its triangle, with the name inside or beside it."""
    points_up = spot.view.maximizing
    shape = UP if points_up else DOWN
    if spot.name_is_inside:
        place = f'y="{10 if points_up else 1}"'
    else:
        place = f'class="beside" x="{RADIUS - 2 if points_up else RADIUS + 4}" y="-8"'
    return f'<path class="shape" d="{shape}"/><text {place}>{text(spot.view.name)}</text>'


@dataclass
class Spot:
    """A node in a drawing.

    view: the node.
    parent: the spot of its parent, None for the root.
    half: half the width of its shape.
    reach: half the width of its shape and label.
    width: the width of the strip of its subtree.
    x: the column of its centre.
    more: the label for undrawn children, "" if all children are drawn.
    spots: the spots of its children.
    """

    view: View
    parent: Spot | None
    half: float = RADIUS
    reach: float = RADIUS
    width: float = 0
    x: float = 0
    more: str = ""
    spots: list[Spot] = field(default_factory=list)

    @property
    def y(self):
        """The distance of its centre from the top."""
        return TOP + LEVEL * len(self.view.path)

    @property
    def label(self):
        """The name in the drawing, with dots for a leaf that has children."""
        view = self.view
        if view.leaf and not (view.position.terminal or view.children):
            return f"{view.name} …"
        return view.name

    @property
    def name_is_inside(self):
        """Whether the name of an inner node fits into its triangle."""
        return len(self.view.name) <= SHORT_NAME


@dataclass(frozen=True)
class Layout:
    """The size of a drawing and its spots, parents first, from left to right."""

    spots: list[Spot]
    width: int
    height: int


def lay_out(root: View) -> Layout:
    """Return the Layout of a View."""
    spots = []
    _collect(root, None, spots)
    _place(spots[0], LEFT)
    width = LEFT + spots[0].width + RIGHT
    height = max(spot.y for spot in spots) + BOTTOM
    return Layout(spots, round(width), round(height))


def _collect(view, parent, spots):
    """Return the Spot of a view; add it and the spots below it to `spots`."""
    spot = Spot(view, parent)
    spots.append(spot)
    if view.leaf:
        spot.half = max(LEAF, text_width(view.value, SIZE_VALUE) + 14) / 2
        spot.reach = max(spot.half, text_width(spot.label, SIZE_NAME) / 2 + 2)
    elif not spot.name_is_inside:
        spot.reach = RADIUS + 8 + text_width(view.name, SIZE_VALUE)
    if view.hidden and not view.children:
        spot.more = "…"
    elif view.hidden:
        spot.more = sentence("report page.hidden", count=view.hidden)
    spot.spots = [_collect(child, spot, spots) for child in view.children]
    spot.width = max(2 * spot.reach, _children_width(spot))
    return spot


def _children_width(spot):
    """Return the width of a spot's children, including the label after them."""
    widths = [child.width for child in spot.spots]
    if spot.more:
        widths.append(text_width(spot.more, SIZE_NAME))
    gaps = max(0, len(widths) - 1)
    return sum(widths) + GAP * gaps


def _place(spot, left):
    """Place a subtree in the strip that begins at `left`."""
    middle = left + spot.width / 2
    child_left = middle - _children_width(spot) / 2
    for child in spot.spots:
        _place(child, child_left)
        child_left += child.width + GAP
    if spot.spots and not spot.more:
        middle = (spot.spots[0].x + spot.spots[-1].x) / 2
    last = left + spot.width - spot.reach
    spot.x = round(max(left + spot.reach, min(middle, last)), 1)


def text_width(text: str, size: float) -> float:
    """Return an upper bound for a text's width in common fonts of this size."""
    return size * sum(map(_relative_width, text))


def _relative_width(character):
    """Return the width of a character as a fraction of the font size."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in "MWmw@%—":
        return 0.85
    return 0.7 if character.isupper() else 0.6
