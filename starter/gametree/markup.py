"""Read YAML text into values that know their line; nothing is interpreted yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from gametree.treeerror import TreeError

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
