"""Point to the lines of a submission that may need a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from autograder.explaining import Explanation
from autograder.explaining.line import Localisation
from autograder.ground.plaintext import sanitize
from gametree.support.texts import in_words, sentence

MAX_WIDTH = 82  # characters; a line of this length is shown in full
CUT_WIDTH = 74  # characters that are shown of a longer line
ADDITIONS = {"here": "line.add here", "all": "line.add all", "one": "line.add one"}
CHANGES = {
    "here": "line.change here",
    "all": "line.change all",
    "one": "line.change one",
}


@dataclass(frozen=True)
class Pointer:
    """The lines of a submission that may need a change.

    sentence: names the lines and gives the reason.
    lines: number -> text of the marked lines and of the lines around them, without the
        common indentation.
    marked: the numbers of the lines that may need a change.
    """

    sentence: str
    lines: Mapping[int, str]
    marked: tuple[int, ...]

    def near(self, around: int) -> dict[int, str]:
        """Return the marked lines with at most `around` lines on each side."""
        near = {}
        for number, text in self.lines.items():
            distance = min(abs(number - marked) for marked in self.marked)
            if distance == 0 or text.strip() and distance <= around:
                near[number] = text
        return near

    def shown(self, around: int) -> list[str]:
        """Return the lines of near() as text for a terminal."""
        near = self.near(around)
        width = len(str(max(near)))
        shown = []
        for number, text in near.items():
            mark = ">" if number in self.marked else " "
            shown.append(f" {mark} {number:{width}} {text}")
        return shown


def find_pointer(explanation: Explanation) -> Pointer | None:
    """Return the Pointer to the line of the drawn function, or None if none was found.

    It names the function if the screen shows a line of another function too.
    """
    if explanation.smallest is None:
        return None
    line = explanation.line_of(explanation.smallest.function)
    if line is None:
        return None
    pointer = pointer_to(line)
    if len(explanation.lines) > 1:
        return replace(pointer, sentence=f"{line.function}: {pointer.sentence}")
    return pointer


def pointer_to(found: Localisation) -> Pointer:
    """Return the Pointer to the lines of a Localisation."""
    columns = {place.line: place.column for place in sorted(found.places)}
    is_missing = all(place.after for place in found.places)
    key = "line.nothing" if found.gives_nothing else "line.raised"
    if found.proofs:
        keys = ADDITIONS if is_missing else CHANGES
        key = keys[_which(found, columns)]
    several_kinds = "missing statement" if is_missing else "any"
    change = sentence(f"small change.{found.kind or several_kinds}")
    text = sentence(key, lines=lines_in_words(columns), change=change)
    return point_at(found.text, columns, text)


def _which(found, columns):
    """Return "here" for one line, "all" if every line must change, otherwise "one"."""
    if len(columns) == 1:
        return "here"
    return "all" if found.together else "one"


def lines_in_words(numbers: Collection[int]) -> str:
    """Return the numbers of lines in words: "line 36" or "lines 33 and 40"."""
    return sentence("line.lines", lines=in_words([*map(str, numbers)]), count=len(numbers))


def point_at(
    lines: Mapping[int, str], columns: Mapping[int, int], sentence: str = ""
) -> Pointer:
    """Return the Pointer to some of the lines.

    The common indentation of the lines is removed.

    lines: number -> text of the marked lines and of the lines around them.
    columns: number of a marked line -> its column, in bytes. A line that is too long is
        cut to the part around its column.
    """
    expanded = {number: text.expandtabs().rstrip() for number, text in lines.items()}
    indents = [len(text) - len(text.lstrip()) for text in expanded.values() if text]
    margin = min(indents, default=0)
    shown = {}
    for number, text in expanded.items():
        before = lines[number].encode()[: columns.get(number, 0)].decode(errors="ignore")
        column = len(before.expandtabs()) - margin
        shown[number] = sanitize(_cut(text[margin:], column))
    return Pointer(sentence, shown, tuple(columns))


def _cut(text, column):
    """Cut a long line to the part around a column, with dots at the cuts."""
    if len(text) <= MAX_WIDTH:
        return text
    begin = max(0, min(column, len(text)) - CUT_WIDTH // 2)
    end = begin + CUT_WIDTH
    part = text[begin:end]
    if begin > 0:
        part = "... " + part
    if end < len(text):
        part += " ..."
    return part
