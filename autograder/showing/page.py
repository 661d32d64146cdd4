"""The frame of a page, and a drawn tree in its figure. One file, no network.

A page allows itself, by its own policy, no script but the one it names by hash: text
that a student's program made could not run even if an escape were forgotten.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.showing.svg import CLASSES, WITH_SIGN, text, tree_svg
from gametree.support.marks import LEGEND, REPEATED, VISITED
from gametree.support.saying import say
from gametree.support.views import View

ASSETS = Path(__file__).resolve().parent / "assets"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
# The shapes of MAX and MIN nodes in the legend.
PLAYER_SHAPES = {"MAX": "M8 1 15 14H1Z", "MIN": "M8 15 15 2H1Z"}


@cache
def asset(name: str) -> str:
    """Return the text of a file in assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


def page(
    title: str,
    body: str,
    styles: Iterable[str] = (),
    css: str = "",
    script: str = "",
) -> str:
    """Return a whole HTML page.

    title: plain text.
    body: HTML.
    styles: names of more style sheets in assets/.
    css: style that these may overrule.
    script: code that runs when the page has been read.
    """
    sheets = [asset("page.css"), css, asset("tree.css")]
    sheets += map(asset, styles)
    style = "\n".join(sheets)
    policy = POLICY
    script_element = ""
    if script:
        policy += f"; script-src 'sha256-{_digest(script)}'"
        script_element = f"<script>{script}</script>\n"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{text(title)}</title>\n<link rel="icon" href="data:,">\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"{script_element}</body>\n</html>\n"
    )


def _digest(code):
    digest = hashlib.sha256(code.encode("utf-8")).digest()
    return base64.b64encode(digest).decode()


def figure(
    root: View,
    label: str,
    description: str,
    key: str,
    chosen: tuple | None = None,
    legend: Iterable[str] = (),
) -> str:
    """Return the figure of a View: it scrolls sideways, by keyboard too.

    legend: HTML of more items for the legend.
    For the rest see tree_svg().
    """
    svg = tree_svg(root, label, description, key, chosen)
    items = [*_players(root), *_marks(root), *legend]
    return (
        f'<div class="figure"><div class="scroll" tabindex="0" role="group"'
        f' aria-label="{text(label)}">{svg}</div>\n'
        f'<ul class="legend" aria-hidden="true">{"".join(items)}</ul></div>\n'
    )


def _players(root):
    """Return the legend of the players who move in the drawing."""
    players = {view.player for view in root.everything() if not view.leaf}
    items = []
    for player, shape in PLAYER_SHAPES.items():
        if player in players:
            meaning = say("report.moves", player=player)
            drawn = f'<path class="shape" d="{shape}"/>'
            items.append(legend_item(meaning, "node inner", drawn))
    return items


def _marks(root):
    """Return the legend of the marks that occur; of MAX and MIN the shape says enough."""
    views = [view for view in root.everything() if view.leaf or view.mark is not VISITED]
    marks = {view.mark for view in views}
    items = []
    for mark in LEGEND:
        if mark in marks:
            kind = f"node leaf {CLASSES[mark]}"
            items.append(legend_item(mark.meaning, kind, _sample(mark)))
    return items


def _sample(mark):
    """Return a small leaf with a mark."""
    sample = '<rect class="shape" x="1" y="2" width="14" height="12" rx="3"/>'
    if mark is REPEATED:
        behind = '<rect class="second" x="4" y="4" width="14" height="12" rx="3"/>'
        sample = behind + sample
    if mark in WITH_SIGN:
        sample += f'<text class="sample" x="8" y="13">{mark.sign}</text>'
    return sample


def legend_item(meaning: str, kind: str, drawn: str) -> str:
    """Return one item of a legend: what is drawn, as SVG parts, and what it means."""
    group = f'<g class="{kind}">{drawn}</g>'
    return f'<li><svg class="tree" width="18" height="17">{group}</svg>{text(meaning)}</li>'
