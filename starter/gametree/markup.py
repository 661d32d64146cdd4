"""The one kind of error that a tree file can give: a line that leads to the slip."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

import yaml


class TreeError(ValueError):
    """A tree file that cannot be read: where the slip is and what to write.

    As text it is one line: `file, line 4, child 2 of B: what is wrong: what to
    write instead`. `line` counts from 1, and is None where no line is to blame.
    """

    def __init__(self, problem, line=None, node="", file=""):
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.node = str(node)
        self.file = file

    def __str__(self):
        where = [self.file, f"line {self.line}" if self.line else "", self.node]
        return f"{', '.join(filter(None, where))}: {self.problem}".removeprefix(": ")


def did_you_mean(word, known):
    """Return the known word that `word` is a slip of, or None."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return close[0] if close else None


def check_keys(pairs, known, what):
    """Raise TreeError at the first key of `pairs` that is not a known one."""
    for key, _ in pairs.pairs:
        if key.text not in known:
            meant = did_you_mean(key.text, known)
            cure = f"did you mean {meant}?" if meant else f"known are {', '.join(known)}"
            raise TreeError(f"unknown key {key.text!r} in {what}: {cure}", key.line)


DEEPEST = 200
MOST_QUOTED = 60  # characters of the file that an error repeats
COMMENT = re.compile(r"(^|\s)#.*$", re.MULTILINE)
KEY = re.compile(r"\S+$")
# What PyYAML's errors mean for someone who writes a tree.
MEANINGS = {
    "mapping values are not allowed": (
        "a second ': ' in a line, or a line too far to the right: put text that "
        "holds a colon in quotes, and begin keys in one column"
    ),
    "could not find expected ':'": "a line that is not 'key: value': add the colon",
    "found unexpected end of stream": "the quote is never closed: close it",
    "expected <block end>, but found ']'": "a ] too many: remove it",
    "expected <block end>, but found '}'": "a } too many: remove it",
    "expected <block end>": "not in one column with the lines above: indent it alike",
    "found character": "text that begins with a sign: put it in quotes",
}
NOT_PRINTABLE = re.compile(f"{yaml.reader.Reader.NON_PRINTABLE.pattern}|\ufeff")


@dataclass
class Scalar:
    """One word or number as it is written; `plain` means without quotes."""

    text: str
    line: int
    plain: bool


@dataclass
class Items:
    """A list."""

    items: list
    line: int


@dataclass
class Pairs:
    """A mapping; `braced` tells {a: 1} from a bare a: 1."""

    pairs: list
    line: int
    braced: bool

    def get(self, key):
        """Return the value of `key`, or None."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def line_of(self, key):
        """Return the line that `key` is written on."""
        return next(name.line for name, _ in self.pairs if name.text == key)


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
    if "\t" in text:
        problem = "a tab: indent and separate with spaces"
        raise TreeError(problem, text.count("\n", 0, text.index("\t")) + 1)
    strange = NOT_PRINTABLE.search(text)
    if strange:
        problem = f"the character {strange.group()!a} cannot be printed: remove it"
        raise TreeError(problem, text.count("\n", 0, strange.start()) + 1)


def _compose(text, events):
    documents = []
    open_lists = [documents]
    opened = []
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            if documents:
                raise TreeError("a second document begins: one file, one tree", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            content = open_lists.pop()
            _close(opened.pop(), content)
        elif isinstance(event, yaml.NodeEvent):
            _refuse_references(event, line)
            value = _opened(event, line, text)
            open_lists[-1].append(value)
            if not isinstance(value, Scalar):
                opened.append(value)
                open_lists.append([])
            if len(opened) > DEEPEST:
                problem = f"nested deeper than {DEEPEST} levels: write a shallower tree"
                raise TreeError(problem, line)
    return documents


def _refuse_references(event, line):
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
        problem = f"{sign}{_cut(event.anchor)} refers to another part of the file"
        raise TreeError(f"{problem}: write the subtree out in full", line)
    if event.tag:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        raise TreeError(f"the tag {_cut(tag)}: remove it, write only the value", line)


def _cut(text):
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}..."


def _opened(event, line, text):
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(event.value, line, not event.style)
    if isinstance(event, yaml.SequenceStartEvent):
        return Items([], line)
    return Pairs([], line, text.startswith("{", event.start_mark.index))


def _close(value, content):
    if isinstance(value, Items):
        value.items = content
        return
    seen = {}
    for key, held in zip(content[::2], content[1::2], strict=True):
        if not isinstance(key, Scalar):
            raise TreeError("a name must be a word, not a list or mapping", key.line)
        if key.text in seen:
            problem = f"{_cut(key.text)!r} stands twice, first on line {seen[key.text]}"
            raise TreeError(f"{problem}: rename or remove one", key.line)
        seen[key.text] = key.line
        value.pairs.append((key, held))


def _explained(error, text):
    """Return the TreeError that says what a YAML error means for a tree file."""
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    mark, begin = (getattr(error, each, None) for each in ("problem_mark", "context_mark"))
    line, begun = (each.line + 1 if each else None for each in (mark, begin))
    if problem.startswith("expected ',' or"):
        open_bracket, close_bracket = "[]" if "]" in problem else "{}"
        if mark.index >= len(text.rstrip()) or mark.column == 0:
            return TreeError(f"the {open_bracket} is never closed: close it", begun)
        before = text[: mark.index]
        if text.startswith(":", mark.index):
            before = KEY.sub("", before)
        last = COMMENT.sub("", before).rstrip().count("\n") + 1
        place = "in this line" if last == line else "at the end of this line"
        problem = f"a comma or the closing {close_bracket} is missing {place}"
        if begun != last:
            problem += f", for the {open_bracket} of line {begun}"
        return TreeError(problem, last)
    for beginning, meaning in MEANINGS.items():
        if problem.startswith(beginning):
            at_begin = "never closed" in meaning or "'key: value'" in meaning
            return TreeError(meaning, begun if at_begin and begun else line)
    return TreeError(f"this is not YAML ({_cut(problem)}): compare another tree file", line)


LIMIT = 10**9
PLAYERS = {"max": True, "min": False}
LONGEST_NAME = 16
LONGEST_TEXT = 70
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
RESOLVER = yaml.resolver.Resolver()
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


def yaml_type(scalar):
    """Return what YAML takes a scalar for: str, int, float, bool, null, ..."""
    if not scalar.plain:
        return "str"
    if re.fullmatch("[yYnN]", scalar.text):
        return "bool"
    tag = RESOLVER.resolve(yaml.ScalarNode, scalar.text, (True, False))
    return tag.rpartition(":")[2]


def number(markup, node="", what="a value"):
    """Return the finite int or float that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError(f"{what} must be one number", markup.line, node)
    if not (markup.plain and NUMBER.fullmatch(markup.text)):
        raise TreeError(_misread(markup, what), markup.line, node)
    read = int if re.fullmatch("[-+]?[0-9]+", markup.text) else float
    found = float(markup.text) if len(markup.text) > 400 else read(markup.text)
    if not -LIMIT < found < LIMIT:
        problem = f"{what} of {markup.text[:20]} is out of range: stay below 10^9 in size"
        raise TreeError(problem, markup.line, node)
    return found


def _misread(scalar, what):
    shown = scalar.text if len(scalar.text) <= 20 else f"{scalar.text[:17]}..."
    if not scalar.plain and NUMBER.fullmatch(scalar.text):
        return f"{shown!r} in quotes is text: remove the quotes"
    for pattern, trouble in ODD_NUMBERS if scalar.plain else ():
        if re.fullmatch(pattern, scalar.text):
            return f"{shown} {trouble}"
    kind = MEANING.get(yaml_type(scalar))
    problem = f"{shown} means {kind}" if kind else f"{shown!r} is text"
    return f"{problem if scalar.text else 'nothing is written here'}: {what} is one number"


def whole(markup, what, least=0, most=LIMIT):
    """Return the int from `least` to `most` that is written, or raise TreeError."""
    found = number(markup, what=what)
    if not isinstance(found, int) or not least <= found <= most:
        cure = f"write a whole number from {least} to {most}"
        raise TreeError(f"{what} of {markup.text} is not possible: {cure}", markup.line)
    return found


def text(markup, what, longest=LONGEST_TEXT):
    """Return the one line of text that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError(f"{what} must be one line of text", markup.line)
    if yaml_type(markup) != "str":
        problem = f"{what} {markup.text!r} is not text in YAML: put it in quotes"
        raise TreeError(problem, markup.line)
    found = markup.text.strip()
    if not found or "\n" in found:
        raise TreeError(f"{what} must be one line of text", markup.line)
    if len(found) > longest:
        problem = f"{what} has {len(found)} characters: {longest} at most"
        raise TreeError(problem, markup.line)
    return found


def word(markup, what, known):
    """Return the word that is written, one of `known`, or raise TreeError."""
    found = getattr(markup, "text", "")
    if found not in known:
        problem = f"{what} is one of {', '.join(known)}"
        meant = did_you_mean(found, known)
        problem += f": did you mean {meant}?" if meant else f", not {found[:20]!r}"
        raise TreeError(problem, markup.line)
    return found


def name(markup):
    """Return the node name that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError("a name must be one word", markup.line)
    if markup.plain and yaml_type(markup) != "str":
        kind = MEANING.get(yaml_type(markup), "something else")
        problem = f"the name {markup.text} means {kind} in YAML: put it in quotes"
        raise TreeError(problem, markup.line)
    return markup.text


def new_name(markup):
    """Return a name for a node of this file: a letter, then letters and digits."""
    found = markup.text
    if re.fullmatch(r"[^\W\d_][\w.'-]*:\S+", found):
        problem = f"{found[:40]!r} lacks a space: write a space after the colon"
    elif not NAME.fullmatch(found):
        problem = f"{found[:40]!r} is no name: write a letter, then letters and digits"
    elif len(found) > LONGEST_NAME:
        problem = f"the name {found[:40]!r} is too long: {LONGEST_NAME} letters at most"
    else:
        return name(markup)
    raise TreeError(problem, markup.line)
