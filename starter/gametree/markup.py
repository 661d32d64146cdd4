"""The YAML of a tree file: values with their lines, or one line that leads to the slip.

`read_markup` makes a Markup of a text. It can be read as a number, a word, a name; what it
is not, it refuses with a TreeError.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

import yaml

from gametree.saying import say, sentences
from gametree.tree import TreeError

LIMIT = 10**9
LONGEST_NAME = 16
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
SEVERAL = re.compile(r"[-+.\d]+((, +| +)[-+.\d]+)+")
DEEPEST = 200
MOST_QUOTED = 60  # characters of the file that an error repeats
STANDARD = "tag:yaml.org,2002:"
# Of these of PyYAML's messages the line to blame is where the unfinished part begins.
BEGIN_EARLIER = "could not find expected", "found unexpected end of stream"


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

    def error(self, key, place="", /, **values) -> TreeError:
        """Return the error that blames this value, in the words of a sentence's key."""
        return TreeError(say(key, **values), self.line, place)

    def check_keys(self, known, what, otherwise):
        """Raise TreeError unless this is a mapping of known keys.

        `otherwise` is the key of what to say of anything but a mapping.
        """
        if self.pairs is None:
            raise self.error(otherwise)
        for key, _ in self.pairs:
            if key.text not in known:
                cure = _did_you_mean(key.text, known)
                cure = cure or say("file.known keys", listed=", ".join(known))
                raise key.error("file.unknown key", key=key.text, what=what, cure=cure)

    def number(self, what, place="") -> float:
        """Return the finite int or float that is written."""
        if self.text is None:
            raise self.error("file.one number", place, what=what)
        if not (self.plain and NUMBER.fullmatch(self.text)):
            raise self.error(self._no_number(), place, what=what, text=_cut(self.text, 17))
        # An int of thousands of digits is slow to read, and refused below in any case.
        long = len(self.text) > 400
        value = float(self.text) if "." in self.text or long else int(self.text)
        if not -LIMIT < value < LIMIT:
            raise self.error("file.out of range", place, what=what, text=self.text[:20])
        return value

    def _no_number(self):
        """Return the key of the sentence that says why this text is no number."""
        if not self.text:
            return "file.nothing"
        if NUMBER.fullmatch(self.text):
            return "file.quoted number"
        return "file.several" if SEVERAL.fullmatch(self.text) else "file.no number"

    def whole(self, what, least=0, most=LIMIT) -> int:
        """Return the int from `least` to `most` that is written."""
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            given = {"what": what, "text": self.text, "least": least, "most": most}
            raise self.error("file.not possible", **given)
        return value

    def line_of_text(self, what, longest) -> str:
        """Return the one line of text that is written."""
        text = (self.text or "").strip()
        if text and self.kind != "str":
            raise self.error("file.not text", what=what, text=text)
        if not text or "\n" in text:
            raise self.error("file.one line", what=what)
        if len(text) > longest:
            raise self.error("file.long text", what=what, count=len(text), most=longest)
        return text

    def word(self, what, known) -> str:
        """Return the word that is written, one of `known`."""
        text = self.text or ""
        if text not in known:
            cure = _did_you_mean(text, known) or say("file.not it", text=text[:20])
            raise self.error("file.one of", what=what, listed=", ".join(known), cure=cure)
        return text

    def name(self) -> str:
        """Return the node name that is written."""
        if self.text is None:
            raise self.error("file.one word")
        if self.kind != "str":
            raise self.error("file.type of name", name=self.text, type=self.kind)
        return self.text

    def new_name(self) -> str:
        """Return a name for a node of this file: a letter, then letters and digits."""
        shown = self.text[:40]
        if re.fullmatch(r"[^\W\d_][\w.'-]*:\S+", self.text):
            raise self.error("file.no space", name=shown)
        if not NAME.fullmatch(self.text):
            raise self.error("file.no name", name=shown)
        if len(self.text) > LONGEST_NAME:
            raise self.error("file.long name", name=shown, most=LONGEST_NAME)
        return self.name()


def _did_you_mean(word, known):
    """Return "did you mean max?" where `word` is close to a known one, else ""."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return say("file.did you mean", word=close[0]) if close else ""


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
            raise TreeError(say("file.empty"))
        return _markup(node, text, set(), 1)
    except yaml.YAMLError as error:
        raise _explained(error, text) from None
    except RecursionError:
        raise TreeError(say("file.too deep", most=DEEPEST)) from None


def _markup(node, text, seen, depth):
    """Return the Markup of a YAML node of the text; `seen` are the nodes before it."""
    line, kind = node.start_mark.line + 1, node.tag.removeprefix(STANDARD)
    markup = Markup(line, kind)
    if id(node) in seen:
        raise markup.error("file.alias")
    if not kind.isalpha():  # as those of YAML itself are
        raise markup.error("file.tag", tag=_cut(kind))
    if depth > DEEPEST + 1:
        raise markup.error("file.too deep", most=DEEPEST)
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        markup.text, markup.plain = node.value, not node.style
        return markup
    if isinstance(node, yaml.SequenceNode):
        markup.items = [_markup(item, text, seen, depth + 1) for item in node.value]
        return markup
    markup.plain, markup.pairs = not text.startswith("{", node.start_mark.index), []
    lines = {}
    for key, value in node.value:
        name, content = (_markup(part, text, seen, depth + 1) for part in (key, value))
        if name.text is None:
            raise name.error("file.name is list")
        if name.text in lines:
            raise name.error("file.key twice", name=_cut(name.text), first=lines[name.text])
        lines[name.text] = name.line
        markup.pairs.append((name, content))
    return markup


def _explained(error, text):
    """Return the TreeError that says what a YAML error means for a tree file.

    Of a message that is not among the sentences PyYAML's own words are said.
    """
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return TreeError(say("file.character", character=ascii(chr(error.character))), line)
    message, mark = error.problem, error.problem_mark
    line, start = (each.line + 1 for each in (mark, error.context_mark or mark))
    known = [key for key in sentences() if f"yaml.{message}".startswith(key)]
    said = say(max(known, key=len, default="file.no yaml"), start=start, text=_cut(message))
    return TreeError(said, start if message.startswith(BEGIN_EARLIER) else line)
