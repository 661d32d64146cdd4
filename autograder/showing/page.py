"""Make a page with its styles, and its parts. A page is a single file.

The policy of a page allows only the script whose hash it names. So text from a student's
program could not run even if it were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from itertools import compress
from pathlib import Path

from autograder.showing.svg import text
from gametree.support.texts import sentence

ASSETS = Path(__file__).resolve().parent / "assets"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"


@cache
def asset(name: str) -> str:
    """Return the text of a file in assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


def page(title: str, body: str, css: str, script: str = "") -> str:
    """Return a whole HTML page.

    title: plain text.
    body: HTML.
    css: the style sheet of this kind of page.
    script: code that runs at the end of the page.
    """
    style = asset("page.css") + css
    policy = POLICY
    script_element = ""
    if script:
        policy += f"; script-src 'sha256-{_digest(script)}'"
        script_element = f"<script>{script}</script>\n"
    return (
        f'<!DOCTYPE html>\n<html lang="{text(sentence("words.language"))}">\n<head>\n'
        '<meta charset="utf-8">\n'
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


# ---- parts of a page


def folded(summary: str, body: str, is_open: bool = True) -> str:
    """Return a block of HTML that can be folded away."""
    start = "<details open>" if is_open else "<details>"
    return f"{start}<summary>{text(summary)}</summary>{body}</details>"


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], css_class: str = ""
) -> str:
    """Return a table that scrolls sideways on a narrow screen.

    rows: tuples with the HTML of a cell for each column. Empty columns are omitted.
    """
    if not rows:
        return "<p>None.</p>"
    has_content = [any(cells) for cells in zip(*rows)]
    heads = [f'<th scope="col">{name}</th>' for name in compress(columns, has_content)]
    lines = []
    for row in rows:
        head, *cells = compress(row, has_content)
        html = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{head}</th>{html}</tr>')
    return (
        f'<div class="scroll table {css_class}" tabindex="0" role="group"'
        f' aria-label="by {columns[0]}"><table><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def prose(words: str) -> str:
    """Return words as HTML; text between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(words))
