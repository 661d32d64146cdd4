"""Make a page with its styles, and a figure of a drawn tree. A page is a single file.

The policy of a page allows only the script whose hash it names. So text from a student's
program could not run even if it were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.showing.svg import CLASSES, WITH_SIGN, text, tree_svg
from gametree.support.marks import LEGEND, NOT_VISITED, REPEATED
from gametree.support.saying import say
from gametree.support.views import View

ASSETS = Path(__file__).resolve().parent / "assets"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
# The shapes of MAX and MIN nodes in the legend.
PLAYER_SHAPES = {"MAX": "M8 1 15 14H1Z", "MIN": "M8 15 15 2H1Z"}
CHOSEN = '<path d="M1 15 17 2" stroke="var(--ink)" stroke-width="4.5"/>'
LEGEND_PLACE = "<!-- legend -->"  # the first such comment of a page becomes the legend


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
    css: style rules that these style sheets may override.
    script: code that runs at the end of the page.
    """
    body = body.replace(LEGEND_PLACE, _legend(), 1).replace(LEGEND_PLACE, "")
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


def figure(root: View, label: str, key: str, chosen: tuple | None = None) -> str:
    """Return the figure of a View, which scrolls sideways, also by keyboard.

    The first figure of a page has the legend. The arguments are those of tree_svg().
    """
    svg = tree_svg(root, label, key, chosen)
    return (
        f'<div class="figure"><div class="scroll" tabindex="0" role="group"'
        f' aria-label="{text(label)}">{svg}</div>\n{LEGEND_PLACE}</div>\n'
    )


@cache
def _legend():
    """Return the legend of all drawings: players, marks and the chosen move."""
    items = []
    for player, shape in PLAYER_SHAPES.items():
        meaning = say("report.moves", player=player)
        drawn = f'<path class="shape" d="{shape}"/>'
        items.append(_legend_item(meaning, "node inner", drawn))
    for mark in LEGEND:
        if mark is not NOT_VISITED:  # it looks like a pruned node
            kind = f"node leaf {CLASSES[mark]}"
            items.append(_legend_item(mark.meaning, kind, _sample(mark)))
    items.append(_legend_item(say("report.move chosen"), "", CHOSEN))
    return f'<ul class="legend" aria-hidden="true">{"".join(items)}</ul>'


def _sample(mark):
    """Return a small leaf with a mark."""
    sample = '<rect class="shape" x="1" y="2" width="14" height="12" rx="3"/>'
    if mark is REPEATED:
        behind = '<rect class="second" x="4" y="4" width="14" height="12" rx="3"/>'
        sample = behind + sample
    if mark in WITH_SIGN:
        sample += f'<text class="sample" x="8" y="13">{mark.sign}</text>'
    return sample


def _legend_item(meaning, kind, drawn):
    """Return an item of the legend: `drawn`, in SVG, and its meaning."""
    group = f'<g class="{kind}">{drawn}</g>'
    return f'<li><svg class="tree" width="18" height="17">{group}</svg>{text(meaning)}</li>'
