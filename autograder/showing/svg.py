"""Draw a tree as SVG for an HTML page.

Sizes are in pixels. Leaves are drawn from left to right in search order. Their columns have
one width, which is enough for every node and its label, so that labels never touch.
"""

from __future__ import annotations

import math
from html import escape
from itertools import count

from autograder.ground.plaintext import sanitize_lines
from gametree.support.marks import (
    LEGEND,
    MISSED,
    NOT_A_LEAF,
    NOT_EVALUATED,
    PRUNED,
    REPEATED,
    UNNECESSARY,
    VISITED,
    Mark,
)
from gametree.support.texts import in_words, sentence
from gametree.support.views import View

CLASSES: dict[Mark | None, str] = {
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
GAP = 6  # between columns
LEFT, TOP, BOTTOM = 56, 34, 40  # margins
SHORT_NAME = 2  # characters that fit into a triangle
# The width of a character: in a box, below it, and beside a triangle.
VALUE, NAME, BESIDE = 9, 8, 10


def text(string: str) -> str:
    """Return a text as HTML: escaped, and without unprintable characters."""
    return escape("\n".join(sanitize_lines(str(string))), quote=True)


def tree_svg(root: View, label: str, key: str, chosen: tuple | None = None) -> str:
    """Return the SVG element of a View, for an HTML page.

    label: its title, which a screen reader reads first.
    key: a word that is unique on the page; the ids of the drawing begin with it.
    chosen: the path of the node that a move leads to. The edge to it is drawn thick.
    """
    drawing = Drawing(root, chosen)
    width = next(drawing.columns)
    height = max(map(_y, root.everything())) + BOTTOM
    elements = "".join([*_players(root), *drawing.edges, *drawing.nodes])
    return (
        f'<svg class="tree" role="img" aria-labelledby="{key}t" aria-describedby="{key}d"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' style="--width:{width}px"><title id="{key}t">{text(label)}</title>'
        f'<desc id="{key}d">{text(describe(root))}</desc>{elements}</svg>'
    )


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


class Drawing:
    """A tree as SVG elements, drawn from the leaves up.

    chosen: see tree_svg().
    columns: yields the column of each leaf, from left to right.
    edges, nodes: the elements. The nodes are above the edges.
    """

    def __init__(self, root: View, chosen: tuple | None):
        self.chosen = chosen
        left = max(map(_reach_left, root.everything()))
        right = max(map(_reach_right, root.everything()))
        self.columns = count(LEFT + left, left + GAP + right)
        self.edges: list[str] = []
        self.nodes: list[str] = []
        self.draw(root)

    def draw(self, view: View) -> float:
        """Draw a view and all views below; return its column, centred above them."""
        below = [self.draw(child) for child in view.children]
        drawn = list(zip(view.children, below))
        if view.hidden:
            dots = next(self.columns)
            self.nodes.append(f'<text class="name" x="{dots}" y="{_y(view) + 36}">…</text>')
            below.append(dots)
        x = (below[0] + below[-1]) / 2 if below else next(self.columns)
        for child, child_x in drawn:
            self.edges.append(self.edge(view, x, child, child_x))
        self.nodes.append(_node(view, x))
        return x

    def edge(self, above: View, x1: float, view: View, x2: float) -> str:
        """Draw the edge from a parent, crossed off if a cutoff prunes the view."""
        top = _y(above) + _reach(above, not above.maximizing)
        if above.leaf:
            top += 22  # below its name
        bottom = _y(view) - _reach(view, view.maximizing)
        parts = [f'<path class="line" d="M{x1:g} {top:g} {x2:g} {bottom:g}"/>']
        if view.mark is PRUNED and above.reached:
            parts.append(_slash(x1, top, x2, bottom))
        kind = f"edge {CLASSES.get(view.mark, '')}".strip()
        if view.mark is NOT_EVALUATED and view.reached:
            kind = "edge"  # the search followed this branch
        if view.path == self.chosen:
            kind += " chosen"
        return f'<g class="{kind}">{"".join(parts)}</g>'


def _y(view):
    """Return the distance of a node's centre from the top."""
    return TOP + LEVEL * len(view.path)


def _box_width(view):
    return max(LEAF, VALUE * len(view.value) + 14)


def _label(view):
    """Return the name of a leaf, with dots if it has children that are not drawn."""
    return view.name if view.position.terminal or view.children else f"{view.name} …"


def _reach_left(view):
    """Return half the width of a shape with the label below it."""
    return max(_box_width(view), NAME * len(_label(view))) // 2 if view.leaf else RADIUS


def _reach_right(view):
    """Return the distance from a centre to the right end of the shape and its label."""
    if view.leaf or len(view.name) <= SHORT_NAME:
        return _reach_left(view)
    return RADIUS + BESIDE * len(view.name)


def _players(root):
    """Label each ply that has an inner node with the player to move."""
    players = {_y(view): view.player for view in root.everything() if not view.leaf}
    return [
        f'<text class="ply" x="8" y="{y + 4}">{player}</text>'
        for y, player in players.items()
    ]


def _slash(x1, y1, x2, y2):
    """Return the two strokes that cross off a line from (x1, y1) to (x2, y2)."""
    x = x1 + 0.66 * (x2 - x1)
    y = y1 + 0.66 * (y2 - y1)
    turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
    place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"'
    return f'<path class="slash" {place} d="M-8 9 2-9M-2 9 8-9"/>'


def _reach(view, is_pointed):
    """Return the vertical reach of a leaf, or of a pointed or flat side of a triangle."""
    if view.leaf:
        return BOX
    return 20 if is_pointed else 16


def _node(view, x):
    shape = _leaf(view) if view.leaf else _triangle(view)
    badge = _badge(view.mark, _box_width(view) / 2 if view.leaf else 4 - RADIUS)
    shape_class = "leaf" if view.leaf else "inner"
    kind = f"node {shape_class} {CLASSES.get(view.mark, '')}".strip()
    place = f'transform="translate({x:g} {_y(view)})"'
    return f'<g class="{kind}" {place}>{shape}{badge}</g>'


def _badge(mark, x):
    """Return the round badge with the sign of a mark, "" for a mark without a badge."""
    if mark not in WITH_SIGN:
        return ""
    return (
        f'<g class="badge"><circle cx="{x:g}" cy="{-BOX}" r="8"/>'
        f'<text x="{x:g}" y="{4.5 - BOX}">{mark.sign}</text></g>'
    )


def _leaf(view):
    """Return a leaf: its box, its value and its name."""
    return (
        f"{_box(view.mark, _box_width(view))}"
        f'<text class="value" y="5.5">{text(view.value)}</text>'
        f'<text class="name" y="{BOX + 16}">{text(_label(view))}</text>'
    )


def _box(mark, width):
    """Return the box of a leaf with this mark."""
    frame = f'x="{-width / 2:g}" y="{-BOX}" width="{width}" height="{2 * BOX}" rx="4"'
    box = f'<rect class="shape" {frame}/>'
    if mark is REPEATED:
        box = f'<rect class="second" transform="translate(4 4)" {frame}/>{box}'
    return box


def _triangle(view):
    """Return an inner node: its triangle, with the name inside or beside it."""
    points_up = view.maximizing
    shape = UP if points_up else DOWN
    if len(view.name) <= SHORT_NAME:
        place = f'y="{10 if points_up else 1}"'
    else:
        place = f'class="beside" x="{RADIUS - 2 if points_up else RADIUS + 4}" y="-8"'
    return f'<path class="shape" d="{shape}"/><text {place}>{text(view.name)}</text>'


def legend() -> str:
    """Return the legend of all drawings, an HTML list."""
    items = []
    for player, shape in (("MAX", UP), ("MIN", DOWN)):
        meaning = sentence("report page.moves", player=player)
        items.append(_item("node inner", f'<path class="shape" d="{shape}"/>', meaning))
    for mark in LEGEND:
        if mark is not NOT_EVALUATED:  # it looks like PRUNED
            box = _box(mark, LEAF) + _badge(mark, LEAF / 2)
            items.append(_item(f"node leaf {CLASSES[mark]}", box, mark.meaning))
    edge = '<path class="line" d="M-20 20 20-20"/>'
    items.append(_item("edge chosen", edge, sentence("report page.chosen")))
    return f'<ul class="legend" aria-hidden="true">{"".join(items)}</ul>\n'


def _item(kind, element, meaning):
    """Return an item of the legend: a small drawing of an element, and its meaning."""
    return (
        '<li><svg class="tree" width="32" height="28" viewBox="-26 -26 52 46">'
        f'<g class="{kind}">{element}</g></svg>{text(meaning)}</li>'
    )
