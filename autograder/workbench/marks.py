"""The marks of handout.md, comments that Markdown does not show.

What stands between `<!-- kit: points -->` and `<!-- /kit -->` is the kit's to write. What
stands between `<!-- if: best_move -->` and `<!-- /if -->` is shown where that holds; where
it does not, `<!-- off: best_move;` and `/if -->` hide it, and keep it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from autograder.command import Refused

PLAIN, KIT, ON, OFF = "", "kit", "if", "off"
MARK = re.compile(
    r"<!-- (kit|if): ([^;<>\n]+) -->(.*?)<!-- /\1 -->|<!-- off: ([^;<>\n]+);(.*?)/if -->",
    re.DOTALL,
)
HALF = re.compile(r"<!-- *(?:kit|if|off)\b|/(?:kit|if) -->")


@dataclass(frozen=True)
class Piece:
    """A stretch of the handout, as it stands between marks of that kind and name.

    `line` is where it begins. The instructor's own stretches are PLAIN.
    """

    kind: str
    name: str
    text: str
    line: int

    def __str__(self):
        if self.kind == OFF:
            return f"<!-- off: {self.name};{self.text}/if -->"
        if self.kind == PLAIN:
            return self.text
        return f"<!-- {self.kind}: {self.name} -->{self.text}<!-- /{self.kind} -->"

    def turned(self, shown: bool) -> Piece:
        """Return a stretch that is shown on a condition, shown or hidden."""
        return replace(self, kind=ON if shown else OFF)


def pieces_of(text: str) -> list[Piece]:
    """Return the handout's pieces, which add up to it. Raises Refused."""
    pieces, end = [], 0

    def add(kind, name, start, inside):
        line = text.count("\n", 0, start) + 1
        half = HALF.search(inside) or (kind in (ON, OFF) and re.search("<!--|-->", inside))
        if half:
            line += inside.count("\n", 0, half.start())
            why = "has no other half" if kind == PLAIN else f"stands within '{name}'"
            raise Refused(f"handout.md, line {line}: a mark {why}; mend it")
        pieces.append(Piece(kind, name, inside, line))

    for match in MARK.finditer(text):
        add(PLAIN, "", end, text[end : match.start()])
        kind, name, inside, hidden_name, hidden = match.groups()
        if kind:
            add(kind, name, match.start(3), inside)
        else:
            add(OFF, hidden_name, match.start(5), hidden)
        end = match.end()
    add(PLAIN, "", end, text[end:])
    return pieces


def without_marks(pieces: Iterable[Piece]) -> str:
    """Return what a reader of the pieces sees: no mark, and nothing that is hidden.

    A line that held a mark alone is gone.
    """
    seen, alone = "", False
    for piece in pieces:
        text = "" if piece.kind == OFF else piece.text
        begins = seen.endswith("\n") or not seen
        if alone and text.startswith("\n"):
            text = text[1:]  # the end of the line of a closing mark
        if piece.kind == PLAIN:
            gone, alone = alone, False
            if gone and seen.endswith("\n\n"):
                text = text.removeprefix("\n")
        elif piece.kind == OFF:
            alone = begins
        else:
            if begins:
                text = text.removeprefix("\n")
            alone = text.endswith("\n")
        seen += text
    return seen
