"""Draw a tree as SVG: triangles for MAX and MIN, boxes for leaves, marks on them.

The colours and line styles come from assets/tree.css. Each mark differs by its
shape too: filled, doubled, dashed, crossed off, or with a sign in a badge.
"""

from __future__ import annotations

import math
from html import escape

from autograder.showing.layout import RADIUS, lay_out
from gametree.marks import (
    MISSED,
    NEEDLESS,
    NO_LEAF,
    NOT_VISITED,
    PRUNED,
    REPEATED,
    VISITED,
)
from gametree.view import value_text

CLASSES = {
    VISITED: "visited",
    REPEATED: "visited repeated",
    PRUNED: "pruned",
    NOT_VISITED: "pruned",
    NEEDLESS: "needless",
    MISSED: "missed",
    NO_LEAF: "needless",
}
WITH_SIGN = (NEEDLESS, MISSED, NO_LEAF)
BOX = 15  # half a box's height
UP, DOWN = "M0-20 20 16H-20Z", "M0 20 20-16H-20Z"


def text(string):
    """Return any text as HTML: escaped, and without what cannot be printed."""
    lines = str(string).expandtabs().split("\n")
    return escape("\n".join(map(_printable, lines)), quote=True)


def _printable(line):
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else "\ufffd" for c in line)


def tree_svg(root, label, description, key, beside=0, chosen=None):
    """Return the SVG element of a View, to stand in an HTML page.

    label: its title, read first by a screen reader.
    description: the terminal drawing, for those who do not see this one.
    key: a word that no other drawing on the page has; its parts have ids from it.
    chosen: the path of the node that a move leads to; its edge is drawn thick.
    beside: pixels kept free beside inner nodes; above 0, each node and edge also has
        its number in the order of the search (data-node, data-edge) for a script.
    """
    layout = lay_out(root, beside)
    parts = [
        f'<svg class="tree" role="img" aria-labelledby="{key}t" aria-describedby="{key}d"'
        f' width="{layout.width}" height="{layout.height}"'
        f' viewBox="0 0 {layout.width} {layout.height}">'
        f'<title id="{key}t">{text(label)}</title>'
        f'<desc id="{key}d">{text(description)}</desc>'
    ]
    parts += _players(layout.spots)
    numbers = range(len(layout.spots)) if beside else [None] * len(layout.spots)
    numbered = list(zip(layout.spots, numbers))
    parts += [_edge(spot, number, chosen) for spot, number in numbered[1:]]
    parts += [_node(spot, number) for spot, number in numbered]
    return "".join(parts) + "</svg>"


def _players(spots):
    """Label each ply that has an inner node with who moves there."""
    players = {spot.y: spot.view.player for spot in spots if not spot.boxed}
    return [
        f'<text class="ply" x="8" y="{y + 4}">{who}</text>' for y, who in players.items()
    ]


def _edge(spot, number, chosen):
    """Draw the edge to a spot from its parent, crossed off where a cutoff prunes it."""
    x1, y1 = spot.parent.x, spot.parent.y + _below(spot.parent)
    x2, y2 = spot.x, spot.y - _above(spot)
    mark = spot.view.mark
    cut = mark is PRUNED and spot.parent.view.reached
    kind = CLASSES.get(mark, "") + " chosen" * (spot.view.path == chosen)
    line = f'<path d="M{x1:g} {y1:g} {x2:g} {y2:g}"/>'
    if cut or number is not None:
        line += _slashes(x1, y1, x2, y2)
    return f'<g class="edge {kind.strip()}"{_numbered("edge", number)}>{line}</g>'


def _below(spot):
    """Return how far below a spot's centre the edges to its children begin."""
    if spot.boxed:
        return BOX + 22
    return 16 if spot.view.maximizing else 20


def _above(spot):
    """Return how far above a spot's centre the edge from its parent ends."""
    if spot.boxed:
        return BOX
    return 20 if spot.view.maximizing else 16


def _slashes(x1, y1, x2, y2):
    """Draw two short strokes across a line, nearer to its lower end."""
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    strokes = ""
    for along in (0.66 * length - 3, 0.66 * length + 3):
        x, y = x1 + along * ux, y1 + along * uy
        dx, dy = 9 * (0.5 * ux - uy), 9 * (0.5 * uy + ux)
        strokes += f"M{x - dx:.1f} {y - dy:.1f} {x + dx:.1f} {y + dy:.1f}"
    return f'<path class="slash" d="{strokes}"/>'


def _numbered(what, number):
    return "" if number is None else f' data-{what}="{number}"'


def _node(spot, number):
    inside = _box(spot) if spot.boxed else _triangle(spot)
    signed = spot.view.mark in WITH_SIGN
    if signed or number is not None:
        sign = spot.view.mark.sign if signed else ""
        x, y = (spot.half, -BOX) if spot.boxed else (4 - RADIUS, -BOX)
        inside += (
            f'<g class="badge"><circle cx="{x:g}" cy="{y}" r="8"/>'
            f'<text x="{x:g}" y="{y + 4.5}">{sign}</text></g>'
        )
    kind = f"node {'leaf' if spot.boxed else 'inner'} {CLASSES.get(spot.view.mark, '')}"
    if number is not None and not spot.boxed:
        inside += _window_places(spot)
    if spot.more:
        inside += f'<text class="name" y="{RADIUS + 16}">{text(spot.more)}</text>'
    place = f'transform="translate({spot.x:g} {spot.y})"'
    return f'<g class="{kind.strip()}" {place}{_numbered("node", number)}>{inside}</g>'


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


def _window_places(spot):
    """Leave empty places for alpha, beta and a note, which a script fills."""
    lower = 5 if spot.name_inside else 10
    return (
        f'<text class="bound low" x="{-RADIUS - 3}" y="{lower}"></text>'
        f'<text class="bound high" x="{RADIUS + 3}" y="{lower}"></text>'
        f'<g class="note"><rect y="{RADIUS + 2}" height="20" rx="10"/>'
        f'<text y="{RADIUS + 16.5}"></text></g>'
    )
