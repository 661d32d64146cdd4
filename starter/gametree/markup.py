"""The YAML of a tree file: values with their lines, or one line that leads to the slip.

`read_markup` makes Scalars, Items and Pairs of a text. Each of them can be read as a
number, a word, a name; what it is not, it refuses with a TreeError.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import NamedTuple

import yaml

from gametree.tree import TreeError

LIMIT = 10**9
LONGEST_NAME = 16
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
DEEPEST = 200
MOST_QUOTED = 60  # characters of the file that an error repeats
NOT_PRINTABLE = re.compile(f"{yaml.reader.Reader.NON_PRINTABLE.pattern}|\ufeff")
RESOLVER = yaml.resolver.Resolver()


class Markup:
    """A value of a tree file and the line that it begins on.

    Each method reads it as one kind of value, and raises TreeError where it is not
    one; `what` is what the error calls it.
    """

    def error(self, problem, node="") -> TreeError:
        """Return the error that blames this value."""
        return TreeError(problem, self.line, node)

    def check_keys(self, known, what, otherwise):
        """Raise TreeError unless this is a mapping of known keys.

        `otherwise` is what to say of anything but a mapping.
        """
        if not isinstance(self, Pairs):
            raise self.error(otherwise)
        for key, _ in self.pairs:
            if key.text not in known:
                problem = f"unknown key {key.text!r} in {what}"
                cure = _did_you_mean(key.text, known) or f"known are {', '.join(known)}"
                raise key.error(f"{problem}: {cure}")

    def number(self, what, node="") -> float:
        """Return the finite int or float that is written."""
        if not isinstance(self, Scalar):
            raise self.error(f"{what} must be one number", node)
        if not (self.plain and NUMBER.fullmatch(self.text)):
            raise self.error(_misread(self, what), node)
        # An int of thousands of digits is slow to read, and refused below in any case.
        long = len(self.text) > 400
        value = float(self.text) if "." in self.text or long else int(self.text)
        if not -LIMIT < value < LIMIT:
            problem = f"{what} of {self.text[:20]} is out of range"
            raise self.error(f"{problem}: stay below 10^9 in size", node)
        return value

    def whole(self, what, least=0, most=LIMIT) -> int:
        """Return the int from `least` to `most` that is written."""
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            cure = f"write a whole number from {least} to {most}"
            raise self.error(f"{what} of {self.text} is not possible: {cure}")
        return value

    def line_of_text(self, what, longest) -> str:
        """Return the one line of text that is written."""
        text = self.text.strip() if isinstance(self, Scalar) else ""
        if text and self.type != "str":
            raise self.error(f"{what} {text!r} is not text in YAML: put it in quotes")
        if not text or "\n" in text:
            raise self.error(f"{what} must be one line of text")
        if len(text) > longest:
            raise self.error(f"{what} has {len(text)} characters: {longest} at most")
        return text

    def word(self, what, known) -> str:
        """Return the word that is written, one of `known`."""
        text = self.text if isinstance(self, Scalar) else ""
        if text not in known:
            meant = _did_you_mean(text, known)
            cure = f": {meant}" if meant else f", not {text[:20]!r}"
            raise self.error(f"{what} is one of {', '.join(known)}{cure}")
        return text

    def name(self) -> str:
        """Return the node name that is written."""
        if not isinstance(self, Scalar):
            raise self.error("a name must be one word")
        if self.type != "str":
            meaning = MEANING.get(self.type, "something else")
            problem = f"the name {self.text} means {meaning} in YAML"
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


@dataclass
class Scalar(Markup):
    """One word or number as it is written; `plain` means without quotes."""

    text: str
    line: int
    plain: bool

    @property
    def type(self):
        """What YAML takes it for: str, int, float, bool, null, ..."""
        if not self.plain:
            return "str"
        if re.fullmatch("[yYnN]", self.text):
            return "bool"
        tag = RESOLVER.resolve(yaml.ScalarNode, self.text, (True, False))
        return tag.rpartition(":")[2]


@dataclass
class Items(Markup):
    """A list."""

    items: list
    line: int


@dataclass
class Pairs(Markup):
    """A mapping: keys and values in turn; `braced` tells {a: 1} from a bare a: 1."""

    items: list
    line: int
    braced: bool

    @property
    def pairs(self):
        """The (key, value) pairs; each key is a Scalar."""
        return list(zip(self.items[::2], self.items[1::2], strict=True))

    def get(self, key):
        """Return the value of `key`, or None."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def key(self, key):
        """Return the Scalar in which `key` is written."""
        return next(name for name, _ in self.pairs if name.text == key)


# What YAML takes a plain word for, in words.
MEANING = {
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "timestamp": "a date",
}
# How YAML misreads what is written, and what helps.
ODD_NUMBERS = (
    (r"[-+]?\.(inf|Inf|INF)", "is not finite: write a number within 10^9"),
    (r"\.(nan|NaN|NAN)", "is not a number: write a finite one"),
    (r"[-+]?0[0-7_]+", "reads as octal in YAML: write it without the leading 0"),
    (r"[-+]?0\d+(\.\d*)?", "begins with a 0: write it without"),
    (r"[-+]?0[xb]\w+", "is not decimal: write it in decimal digits"),
    (r"[-+]?\d[\d.]*_[\d_.]*", "holds an underscore: write the digits alone"),
    (r"[-+]?\d+(:\d+)+(\.\d*)?", "reads as a time in YAML: write one number"),
    (r"[-+]?[\d.]+[eE][-+]?\d+", "has an exponent: write the number out"),
    (r"[\u2010-\u2015\u2212][\d.]+", "begins with a dash: write the minus sign -"),
    (r"[-+.\d]+(, +[-+.\d]+)+", "is several numbers: put them in [ ]"),
    (r"[-+]?\d+ *[,/] *\d+", "is not one number: write it with a decimal point"),
    (r"[-+.\d]+( +[-+.\d]+)+", "is several numbers: put commas between them"),
    (r"[^\W\d]\w*:.+", "lacks a space: write a name, a colon, a space, a value"),
)


def _did_you_mean(word, known):
    """Return "did you mean max?" where `word` is close to a known one, else ""."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else ""


def _misread(scalar, what):
    shown = scalar.text if len(scalar.text) <= 20 else _cut(scalar.text, 17)
    if not scalar.plain and NUMBER.fullmatch(scalar.text):
        return f"{shown!r} in quotes is text: remove the quotes"
    for pattern, trouble in ODD_NUMBERS if scalar.plain else ():
        if re.fullmatch(pattern, scalar.text):
            return f"{shown} {trouble}"
    meaning = MEANING.get(scalar.type)
    problem = f"{shown} means {meaning}" if meaning else f"{shown!r} is text"
    return f"{problem if scalar.text else 'nothing is written here'}: {what} is one number"


def read_markup(text, loader):
    """Return the single value that YAML text holds, parsed by a yaml loader class.

    Collections are read event by event, not recursively, and never deeper than
    `DEEPEST`. Raises TreeError for what is not YAML, and for the YAML that a
    tree file has no use for: tabs, anchors, aliases, tags, further documents.
    """
    _check_characters(text)
    try:
        documents = _compose(text, yaml.parse(text, Loader=loader))
    except yaml.YAMLError as error:
        raise _explained(error, text) from None
    if not documents:
        raise TreeError("the file is empty: write title, lesson, root and tree")
    return documents[0]


def _check_characters(text):
    strange = re.search("\t", text) or NOT_PRINTABLE.search(text)
    if strange:
        problem = f"the character {strange.group()!a} cannot be printed: remove it"
        if strange.group() == "\t":
            problem = "a tab: indent and separate with spaces"
        raise TreeError(problem, text.count("\n", 0, strange.start()) + 1)


def _compose(text, events):
    documents = Items([], 1)
    opened = [documents]
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent) and documents.items:
            raise TreeError("a second document begins: one file, one tree", line)
        if isinstance(event, yaml.CollectionEndEvent):
            _check_names(opened.pop())
        elif isinstance(event, yaml.NodeEvent):
            _refuse_references(event, line)
            value = _markup_of(event, line, text)
            opened[-1].items.append(value)
            if not isinstance(value, Scalar):
                opened.append(value)
            if len(opened) > DEEPEST + 1:
                problem = f"nested deeper than {DEEPEST} levels: write a shallower tree"
                raise TreeError(problem, line)
    return documents.items


def _refuse_references(event, line):
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
        problem = f"{sign}{_cut(event.anchor)} refers to another part of the file"
        raise TreeError(f"{problem}: write the subtree out in full", line)
    if event.tag:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        raise TreeError(f"the tag {_cut(tag)}: remove it, write only the value", line)


def _cut(text, most=MOST_QUOTED):
    return text if len(text) <= most else f"{text[:most]}..."


def _markup_of(event, line, text):
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(event.value, line, not event.style)
    if isinstance(event, yaml.SequenceStartEvent):
        return Items([], line)
    return Pairs([], line, text.startswith("{", event.start_mark.index))


def _check_names(value):
    """Raise TreeError where a key of a mapping is not a word, or appears twice."""
    lines = {}
    for key, _ in value.pairs if isinstance(value, Pairs) else ():
        if not isinstance(key, Scalar):
            raise key.error("a name must be a word, not a list or mapping")
        if key.text in lines:
            problem = f"{_cut(key.text)!r} appears twice, first on line {lines[key.text]}"
            raise key.error(f"{problem}: rename or remove one")
        lines[key.text] = key.line


COLON_MISSING = "a line that is not 'key: value': add the colon"


class Slip(NamedTuple):
    """A kind of text that is not YAML, known by how PyYAML's message about it begins."""

    message: str
    meaning: str
    at_start: bool = False  # the line to blame is where the unfinished part begins
    brackets: str = ""  # of the list or mapping that may lack a comma instead


SLIPS = (
    Slip("expected ',' or ']'", "the [ is never closed: close it", True, "[]"),
    Slip("expected ',' or '}'", "the { is never closed: close it", True, "{}"),
    Slip("could not find expected", COLON_MISSING, True),
    Slip("found unexpected end of stream", "the quote is never closed: close it", True),
    Slip("expected <block end>, but found ']'", "one ] too many: remove it"),
    Slip("expected <block end>, but found '}'", "one } too many: remove it"),
    Slip("expected <block end>", "not in one column with the lines above: indent it alike"),
    Slip("found character", "text that begins with a sign: put it in quotes"),
    Slip(
        "mapping values are not allowed",
        "a second ': ' in a line, or a line too far to the right: put text that "
        "holds a colon in quotes, and begin keys in one column",
    ),
)


def _explained(error, text):
    """Return the TreeError that says what a YAML error means for a tree file."""
    message = getattr(error, "problem", None) or str(error).splitlines()[0]
    mark, begin = (getattr(error, each, None) for each in ("problem_mark", "context_mark"))
    line, start = (each.line + 1 if each else None for each in (mark, begin))
    slip = next((slip for slip in SLIPS if message.startswith(slip.message)), None)
    if slip is None:
        problem = f"this is not YAML ({_cut(message)}): compare another tree file"
        return TreeError(problem, line)
    if slip.brackets and mark.index < len(text.rstrip()) and mark.column:
        return _comma_missing(slip.brackets, text, mark, start)
    lone = _line_without_colon(text, mark) if slip is SLIPS[-1] else None
    if lone:
        return TreeError(COLON_MISSING, lone)
    return TreeError(slip.meaning, start if slip.at_start and start else line)


def _line_without_colon(text, mark):
    """Return the line above a mark at which a key was begun, if it has no colon of its own.

    YAML reads it and the key below it as one text, and blames the key.
    """
    *above, line = text[: mark.index].split("\n")
    begun = None
    for number, other in reversed([*enumerate(above, start=1)]):
        if re.search(r":(\s|$)", line):
            return None
        if re.search(r":(\s|$)", other):
            return begun if other.rstrip().endswith(":") else None
        if other.strip() and not other.lstrip().startswith("#"):
            begun = number
    return begun


def _comma_missing(brackets, text, mark, start):
    """Return the TreeError for a list or mapping that goes on without a comma."""
    before = text[: mark.index]
    if text.startswith(":", mark.index):
        before = re.sub(r"\S+$", "", before)
    before = re.sub(r"(^|[^\S\n])#.*$", "", before, flags=re.MULTILINE)
    line = before.rstrip().count("\n") + 1
    place = "in this line" if line == mark.line + 1 else "at the end of this line"
    problem = f"a comma or the closing {brackets[1]} is missing {place}"
    if start != line:
        problem += f", for the {brackets[0]} of line {start}"
    return TreeError(problem, line)
