"""The YAML of a tree file: values with their lines, or one line that leads to the slip.

`read_markup` makes a Markup of a text. It can be read as a number, a word, a name; what it
is not, it refuses with a TreeError.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

import yaml

from gametree.tree import TreeError

LIMIT = 10**9
LONGEST_NAME = 16
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
SEVERAL = re.compile(r"[-+.\d]+((, +| +)[-+.\d]+)+")
DEEPEST = 200
MOST_QUOTED = 60  # characters of the file that an error repeats
STANDARD = "tag:yaml.org,2002:"
# How PyYAML's message begins -> what it means for a tree file, and whether the line to
# blame is where the unfinished part begins. Of other messages PyYAML's words are said.
SLIPS = {
    "expected ',' or ']'": ("a comma or the ] of line {start} is missing before this", 0),
    "expected ',' or '}'": ("a comma or the }} of line {start} is missing before this", 0),
    "could not find expected": ("a line that is not 'key: value': add the colon", 1),
    "found unexpected end of stream": ("the quote is never closed: close it", 1),
    "expected <block end>, but found ']'": ("one ] too many: remove it", 0),
    "expected <block end>, but found '}'": ("one }} too many: remove it", 0),
    "but found another document": ("a second document begins: one file, one tree", 0),
    "expected <block end>": ("not in one column with the lines above: indent it alike", 0),
    "found character '\\t'": ("a tab: indent and separate with spaces", 0),
    "found character": ("text that begins with a sign: put it in quotes", 0),
    "mapping values are not allowed": (
        "a second ': ' in a line, or no colon in the line above: put text that "
        "holds a colon in quotes, and begin keys in one column", 0
    ),
}  # fmt: skip


@dataclass
class Markup:
    """A value of a tree file and the line that it begins on.

    One of `text`, `items` (a list) and `pairs` (a mapping's keys and values) is what it
    is, and the others are None. `kind` is what YAML takes it for: str, int, bool, null,
    seq, ... Without quotes or braces it is `plain`. Each method reads it as one kind of
    value, and raises TreeError where it is not one; `what` is what the error calls it.
    """

    line: int
    kind: str = "map"
    plain: bool = True
    text: str | None = None
    items: list[Markup] | None = None
    pairs: list[tuple[Markup, Markup]] | None = None

    def get(self, key) -> Markup | None:
        """Return the value of `key`, None where there is none."""
        return next((value for name, value in self.pairs or () if name.text == key), None)

    def key(self, key) -> Markup:
        """Return the key itself, which has a line."""
        return next(name for name, _ in self.pairs if name.text == key)

    def error(self, problem, node="") -> TreeError:
        """Return the error that blames this value."""
        return TreeError(problem, self.line, node)

    def check_keys(self, known, what, otherwise):
        """Raise TreeError unless this is a mapping of known keys.

        `otherwise` is what to say of anything but a mapping.
        """
        if self.pairs is None:
            raise self.error(otherwise)
        for key, _ in self.pairs:
            if key.text not in known:
                problem = f"unknown key {key.text!r} in {what}"
                cure = _did_you_mean(key.text, known) or f"known are {', '.join(known)}"
                raise key.error(f"{problem}: {cure}")

    def number(self, what, node="") -> float:
        """Return the finite int or float that is written."""
        if self.text is None:
            raise self.error(f"{what} must be one number", node)
        if not (self.plain and NUMBER.fullmatch(self.text)):
            raise self.error(self._no_number(what), node)
        # An int of thousands of digits is slow to read, and refused below in any case.
        long = len(self.text) > 400
        value = float(self.text) if "." in self.text or long else int(self.text)
        if not -LIMIT < value < LIMIT:
            problem = f"{what} of {self.text[:20]} is out of range"
            raise self.error(f"{problem}: stay below 10^9 in size", node)
        return value

    def _no_number(self, what):
        shown = _cut(self.text, 17)
        if not self.text:
            return f"nothing is written here: {what} is one number"
        if NUMBER.fullmatch(self.text):
            return f"{shown!r} in quotes is text: remove the quotes"
        if SEVERAL.fullmatch(self.text):
            return f"{shown} is several numbers: put them in [ ], with commas between them"
        return f"{shown!r} is no number: {what} is one in decimal digits, as in 7, -3, 0.5"

    def whole(self, what, least=0, most=LIMIT) -> int:
        """Return the int from `least` to `most` that is written."""
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            cure = f"write a whole number from {least} to {most}"
            raise self.error(f"{what} of {self.text} is not possible: {cure}")
        return value

    def line_of_text(self, what, longest) -> str:
        """Return the one line of text that is written."""
        text = (self.text or "").strip()
        if text and self.kind != "str":
            raise self.error(f"{what} {text!r} is not text in YAML: put it in quotes")
        if not text or "\n" in text:
            raise self.error(f"{what} must be one line of text")
        if len(text) > longest:
            raise self.error(f"{what} has {len(text)} characters: {longest} at most")
        return text

    def word(self, what, known) -> str:
        """Return the word that is written, one of `known`."""
        text = self.text or ""
        if text not in known:
            cure = _did_you_mean(text, known) or f"not {text[:20]!r}"
            raise self.error(f"{what} is one of {', '.join(known)}: {cure}")
        return text

    def name(self) -> str:
        """Return the node name that is written."""
        if self.text is None:
            raise self.error("a name must be one word")
        if self.kind != "str":
            problem = f"the name {self.text} is of type {self.kind} in YAML"
            raise self.error(f"{problem}: put it in quotes")
        return self.text

    def new_name(self) -> str:
        """Return a name for a node of this file: a letter, then letters and digits."""
        shown = repr(self.text[:40])
        if re.fullmatch(r"[^\W\d_][\w.'-]*:\S+", self.text):
            raise self.error(f"{shown} lacks a space: write a space after the colon")
        if not NAME.fullmatch(self.text):
            cure = "write a letter, then letters and digits"
            raise self.error(f"{shown} is not a name: {cure}")
        if len(self.text) > LONGEST_NAME:
            problem = f"the name {shown} is too long"
            raise self.error(f"{problem}: {LONGEST_NAME} letters at most")
        return self.name()


def _did_you_mean(word, known):
    """Return "did you mean max?" where `word` is close to a known one, else ""."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else ""


def _cut(text, most=MOST_QUOTED):
    return text if len(text) <= most else f"{text[:most]}..."


def read_markup(text: str) -> Markup:
    """Return the single value that YAML text holds.

    Raises TreeError for what is not YAML, for what is nested deeper than DEEPEST, and for
    the YAML that a tree file has no use for: aliases, tags, further documents.
    """
    try:
        node = yaml.compose(text, yaml.SafeLoader)
        if node is None:
            raise TreeError("the file is empty: write title, lesson, root and tree")
        return _markup(node, text, set(), 1)
    except yaml.YAMLError as error:
        raise _explained(error, text) from None
    except RecursionError:
        raise _too_deep(None) from None


def _too_deep(line):
    return TreeError(f"nested deeper than {DEEPEST} levels: write a shallower tree", line)


def _markup(node, text, seen, depth):
    """Return the Markup of a YAML node of the text; `seen` are the nodes before it."""
    line = node.start_mark.line + 1
    if id(node) in seen:
        problem = "another part of the file refers to this (& and *)"
        raise TreeError(f"{problem}: write the subtree out in full", line)
    kind = node.tag.removeprefix(STANDARD)
    if not kind.isalpha():  # as those of YAML itself are
        tag = _cut(kind)
        raise TreeError(f"the tag {tag}: remove it, write only the value", line)
    if depth > DEEPEST + 1:
        raise _too_deep(line)
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return Markup(line, kind, not node.style, text=node.value)
    if isinstance(node, yaml.SequenceNode):
        items = [_markup(item, text, seen, depth + 1) for item in node.value]
        return Markup(line, kind, items=items)
    pairs, lines = [], {}
    for key, value in node.value:
        name, content = (_markup(part, text, seen, depth + 1) for part in (key, value))
        if name.text is None:
            raise name.error("a name must be a word, not a list or mapping")
        if name.text in lines:
            problem = f"{_cut(name.text)!r} appears twice, first on line {lines[name.text]}"
            raise name.error(f"{problem}: rename or remove one")
        lines[name.text] = name.line
        pairs.append((name, content))
    braced = text.startswith("{", node.start_mark.index)
    return Markup(line, kind, not braced, pairs=pairs)


def _explained(error, text):
    """Return the TreeError that says what a YAML error means for a tree file."""
    if isinstance(error, yaml.reader.ReaderError):
        sign = f"the character {chr(error.character)!a} cannot be printed: remove it"
        return TreeError(sign, text.count("\n", 0, error.position) + 1)
    message, mark, start = error.problem, error.problem_mark, error.context_mark
    start = (start or mark).line + 1
    for begins, (meaning, at_start) in SLIPS.items():
        if message.startswith(begins):
            meaning = meaning.format(start=start)
            return TreeError(meaning, start if at_start else mark.line + 1)
    problem = f"this is not YAML ({_cut(message)}): compare another tree file"
    return TreeError(problem, mark.line + 1)
