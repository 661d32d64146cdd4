"""What is said of the line where a mistake is: a sentence, and the lines around it."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.grading import Grading
from autograder.localisation import Localisation
from autograder.plaintext import printable
from autograder.rubric import CHANGE
from gametree.saying import say
from gametree.words import in_words

MOST_WIDE = 80  # characters of a line


@dataclass(frozen=True)
class Line:
    """A line of the submission; `marked` says that it is one to look at."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True)
class Pointer:
    """Where to look: `sentence` says it, `lines` are those to look at and around them."""

    sentence: str
    lines: tuple[Line, ...]

    def near(self, around: int) -> list[Line]:
        """Return the lines to look at, with at most so many above and below each."""
        marked = [line.number for line in self.lines if line.marked]
        return [
            line
            for line in self.lines
            if line.marked
            or line.text.strip()
            and any(abs(line.number - number) <= around for number in marked)
        ]

    @property
    def short(self) -> str:
        """Return "line 36" or "lines 33 and 40"."""
        return _lines([line.number for line in self.lines if line.marked])


def pointer_of(grading: Grading) -> Pointer | None:
    """Return where a grading says to look, None where it does not know."""
    found = grading.localisation
    if found is None:
        return None
    sentence = _sentence(found)
    if grading.hints == CHANGE:
        change = printable(found.proofs[0].what)
        sentence += f" {say('line.change', change=change)}"
    marked = {place.line for place in found.places}
    texts = {n: text.expandtabs().rstrip() for n, text in found.text.items()}
    indents = (len(text) - len(text.lstrip()) for text in texts.values() if text)
    margin = min(indents, default=0)
    lines = (
        Line(number, printable(text[margin:], MOST_WIDE), number in marked)
        for number, text in texts.items()
    )
    return Pointer(sentence, tuple(lines))


def _sentence(found: Localisation) -> str:
    several = len(found.places) > 1
    if all(place.after for place in found.places):
        key = "line.add at one" if several and not found.together else "line.add"
    elif several:
        key = "line.change all" if found.together else "line.change one"
    else:
        key = "line.change here"
    return say(key, lines=_lines(sorted(place.line for place in found.places)))


def _lines(numbers):
    numbers = [*map(str, numbers)]
    return say("line.lines", lines=in_words(numbers), count=len(numbers))
