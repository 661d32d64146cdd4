"""Read YAML into values that store their lines, for errors."""

from __future__ import annotations

import re
from collections.abc import Collection

from gametree.support.errors import TreeError
from gametree.support.texts import load_sentences, sentence

LIMIT = 10**9  # numbers lie strictly between -LIMIT and LIMIT
MAX_LEVELS = 200  # of nested brackets
MAX_NAME = 16  # characters of a node's name
MAX_QUOTED = 40  # characters of the file in an error
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
NAME_AND_VALUE = re.compile(rf"{NAME.pattern}:\S+")
STANDARD_TAG = "tag:yaml.org,2002:"
# For these messages of PyYAML, the wrong line is the one where the unfinished part begins.
BEGIN_EARLIER = ("could not find expected", "found unexpected end of stream")


class Markup:
    """A value of a tree file or of rubric.yaml: a scalar, a list or a mapping.

    Each method returns it as one kind of value, or raises TreeError; `what` is its name
    in the error.

    line: its first line, from 1.
    kind: its YAML type: str, int, bool, null, seq, ...
    plain: whether it is written without quotes or braces.
    text: the characters of a scalar, else None.
    items: the values of a list, else None.
    pairs: the values of a mapping by key, else None.
    key: its key in a mapping, else None.
    """

    plain = True
    text: str | None = None
    items: list[Markup] | None = None
    pairs: dict[str, Markup] | None = None
    key: Markup | None = None

    def __init__(self, line: int, kind: str = "map"):
        self.line = line
        self.kind = kind

    @property
    def quoted(self) -> str:
        """The beginning of the text, for an error."""
        return _cut(self.text or "")

    def get(self, key: str) -> Markup | None:
        """Return the value of `key`, or None."""
        return (self.pairs or {}).get(key)

    def error(self, key: str, place: str = "", /, **values: object) -> TreeError:
        """Return an error at this value; `key` names its sentence."""
        return TreeError(sentence(key, **values), self.line, place)

    def check_keys(
        self,
        known: Collection[str],
        what: str,
        otherwise: str,
        needed: Collection[str] = (),
    ) -> None:
        """Raise TreeError unless this is a mapping of known keys with all needed keys.

        `otherwise` names the sentence for a value that is not a mapping.
        """
        if self.pairs is None:
            raise self.error(otherwise)
        for key, value in self.pairs.items():
            if key not in known:
                place = value.key or value
                listed = ", ".join(known)
                raise place.error("file.unknown key", key=key, what=what, listed=listed)
        for key in needed:
            if key not in self.pairs:
                raise self.error("file.no key", key=key, what=what)

    def number(self, what: str, place: str = "", least: float = -LIMIT) -> float:
        """Return the value as a finite int or float of at least `least`."""
        text = self.text
        if text is None:
            raise self.error("file.one number", place, what=what)
        if not self.plain or not NUMBER.fullmatch(text):
            raise self.error("file.no number", place, what=what, text=self.quoted)
        value = float(text)
        if not -LIMIT < value < LIMIT:
            raise self.error("file.out of range", place, what=what, text=self.quoted)
        if value < least:
            raise self.error("file.too small", what=what, text=text, least=least)
        return value if "." in text else int(text)

    def whole(self, what: str, least: int = 0, most: int = LIMIT) -> int:
        """Return the value as an int from `least` to `most`."""
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            raise self.error(
                "file.not possible", what=what, text=self.text, least=least, most=most
            )
        return value

    def line_of_text(self, what: str, longest: int) -> str:
        """Return the value as one line of at most `longest` characters."""
        text = (self.text or "").strip()
        if not text or "\n" in text or len(text) > longest:
            raise self.error("file.one line", what=what, most=longest)
        return text

    def word(self, what: str, known: Collection[str]) -> str:
        """Return the value as a word, one of `known`."""
        text = self.text or ""
        if text in known:
            return text
        listed = ", ".join(known)
        raise self.error("file.one of", what=what, listed=listed, text=self.quoted)

    def name(self) -> str:
        """Return the value as the name of a node."""
        if self.text is None:
            raise self.error("file.one word")
        if self.kind != "str":
            raise self.error("file.type of name", name=self.text, type=self.kind)
        return self.text

    def new_name(self) -> str:
        """Return the value as a new name: a letter, then letters and digits."""
        text = self.text or ""
        if NAME_AND_VALUE.fullmatch(text):
            raise self.error("file.no space", name=self.quoted)
        if not NAME.fullmatch(text) or len(text) > MAX_NAME:
            raise self.error("file.no name", name=self.quoted, most=MAX_NAME)
        return self.name()


def _cut(text):
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}..."


def read_markup(text: str) -> Markup:
    """Return the single value of a YAML text.

    Raises TreeError for invalid YAML, for nesting deeper than MAX_LEVELS, and for YAML
    that tree files do not use: aliases, tags, further documents.
    """
    import yaml  # costs 25 ms, and a search needs none

    try:
        node = yaml.compose(text, yaml.SafeLoader)
        if node is None:
            raise TreeError(sentence("file.empty"))
        return _markup(node, set(), 1)
    except yaml.reader.ReaderError as error:
        raise _explain_character(error, text) from None
    except yaml.MarkedYAMLError as error:
        raise _explain(error) from None
    except RecursionError:
        raise TreeError(sentence("file.too deep", most=MAX_LEVELS)) from None


def _markup(node, earlier, level):
    """Return the Markup of a YAML node; `earlier` contains the ids of earlier nodes."""
    kind = node.tag.removeprefix(STANDARD_TAG)
    start = node.start_mark
    markup = Markup(start.line + 1, kind)
    if id(node) in earlier:
        raise markup.error("file.alias")
    if not kind.isalpha():  # not a type of YAML itself
        raise markup.error("file.tag", tag=_cut(kind))
    if level > MAX_LEVELS + 1:  # a number is one level below its brackets
        raise markup.error("file.too deep", most=MAX_LEVELS)
    earlier.add(id(node))
    if node.id == "scalar":
        markup.text = node.value
        markup.plain = not node.style
    elif node.id == "sequence":
        markup.items = [_markup(item, earlier, level + 1) for item in node.value]
    else:
        markup.plain = start.buffer[start.pointer] != "{"
        markup.pairs = _pairs(node, earlier, level + 1)
    return markup


def _pairs(node, earlier, level):
    pairs = {}
    for key_node, value_node in node.value:
        key = _markup(key_node, earlier, level)
        if key.text is None:
            raise key.error("file.name is list")
        value = _markup(value_node, earlier, level)
        value.key = key
        if key.text in pairs:
            first = pairs[key.text].key.line
            raise key.error("file.key twice", name=key.quoted, first=first)
        pairs[key.text] = value
    return pairs


def _explain_character(error, text):
    """Return the TreeError for a character that YAML does not allow."""
    line = text.count("\n", 0, error.position) + 1
    character = ascii(chr(error.character))
    return TreeError(sentence("file.character", character=character), line)


def _explain(error):
    """Return the TreeError that explains a YAML error.

    A message without its own sentence is repeated in PyYAML's words.
    """
    message = error.problem
    mark = error.problem_mark
    start = error.context_mark or mark
    keys = [key for key in load_sentences() if f"yaml.{message}".startswith(key)]
    key = max(keys, key=len, default="file.no yaml")
    problem = sentence(key, start=start.line + 1, text=_cut(message))
    blamed = start if message.startswith(BEGIN_EARLIER) else mark
    return TreeError(problem, blamed.line + 1)
