"""The frame of a page, and a drawn tree in its figure. One file, no network.

A page allows itself, by its own policy, no script but the one it names by hash: text
that a student's program made could not run even if an escape were forgotten.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from autograder.showing.svg import CLASSES, WITH_SIGN, text, tree_svg
from gametree.support.marks import LEGEND, REPEATED, VISITED
from gametree.support.saying import say
from gametree.support.views import View

ASSETS = Path(__file__).resolve().parent / "assets"
BASE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"


@cache
def asset(name: str) -> str:
    """Return the text of a file in assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


def page(
    title: str,
    body: str,
    styles=(),
    css: str = "",
    script: str = "",
) -> str:
    """Return a whole HTML page.

    title: plain text. body: HTML. styles: names of more files in assets/.
    css: style that those files may overrule. script: code that runs when the page has
    been read.
    """
    files = [asset(name) for name in ("tree.css", *styles)]
    style = "\n".join([asset("page.css"), css, *files])
    policy = BASE + (f"; script-src 'sha256-{_digest(script)}'" if script else "")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{text(title)}</title>\n<link rel="icon" href="data:,">\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        + (f"<script>{script}</script>\n" if script else "")
        + "</body>\n</html>\n"
    )


def _digest(code):
    return base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode()


def figure(root: View, label: str, description: str, key: str, legend=(), **options) -> str:
    """Return the figure of a View: it scrolls sideways, by keyboard too.

    legend: HTML of more items for the legend. For the rest see tree_svg().
    """
    svg = tree_svg(root, label, description, key, **options)
    items = "".join([*_players(root), *_marks(root), *legend])
    return (
        f'<div class="figure"><div class="scroll" tabindex="0" role="group"'
        f' aria-label="{text(label)}">{svg}</div>\n'
        f'<ul class="legend" aria-hidden="true">{items}</ul></div>\n'
    )


def _players(root):
    players = {view.player for view in root.everything() if not view.leaf}
    return [
        legend_item(
            say("report.moves", player=player),
            "node inner",
            f'<path class="shape" d="{shape}"/>',
        )
        for player, shape in (("MAX", "M8 1 15 14H1Z"), ("MIN", "M8 15 15 2H1Z"))
        if player in players
    ]


def _marks(root):
    """Return the legend of the marks that occur; of MAX and MIN the shape says enough."""
    views = [view for view in root.everything() if view.leaf or view.mark is not VISITED]
    marks = {view.mark for view in views}
    return [
        legend_item(mark.meaning, f"node leaf {CLASSES[mark]}", _sample(mark))
        for mark in LEGEND
        if mark in marks
    ]


def _sample(mark):
    behind = '<rect class="second" x="4" y="4" width="14" height="12" rx="3"/>'
    sign = f'<text class="sample" x="8" y="13">{mark.sign}</text>'
    return (
        (behind if mark is REPEATED else "")
        + '<rect class="shape" x="1" y="2" width="14" height="12" rx="3"/>'
        + (sign if mark in WITH_SIGN else "")
    )


def legend_item(meaning: str, kind: str, drawn: str) -> str:
    """Return one item of a legend: what is drawn, as SVG parts, and what it means."""
    group = f'<g class="{kind}">{drawn}</g>'
    return f'<li><svg class="tree" width="18" height="17">{group}</svg>{text(meaning)}</li>'
