"""Sentences that students read, picked by a key; numbers, names and players in them.

They stand in texts.yaml. Its first part is what this package says, at home as well; the
part below is the autograder's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from string import Formatter

from gametree.functions import FUNCTIONS
from gametree.support.tree import Position, Search, Tree

TEXTS = Path(__file__).resolve().parent.parent / "texts.yaml"
REST = "other"  # the form for each number that has none of its own
MAX_NAMES = 8
_sentences = {}  # key -> sentence, once they are read


class TextError(Exception):
    """A file of sentences that cannot be used; str says in one line where and why."""


def say(key: str, /, **values: object) -> str:
    """Return the sentence of a key ("section.name"), filled in. Raises TextError.

    Where a sentence has several forms, the value `count` picks one.
    """
    sentence = sentences()[key]
    if isinstance(sentence, dict):
        sentence = sentence.get(values["count"], sentence[REST])
    try:
        return sentence.format(**values)
    except KeyError as error:
        raise TextError(
            f"{TEXTS.name}: {key}: nothing fills in {{{error.args[0]}}}; mend it"
        ) from None


def sentences() -> dict[str, str | dict]:
    """Return key -> sentence, a text or its forms by number. Raises TextError."""
    if not _sentences:
        use_sentences(_read())
    return _sentences


def use_sentences(sentences: dict[str, str | dict]) -> None:
    """Use these sentences in place of those of texts.yaml; none has it read again."""
    _sentences.clear()
    _sentences.update(sentences)


def _read():
    import yaml  # 25 ms, which a grading by a known kit does not need

    found, key = {}, ""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for part in yaml.load_all(TEXTS.read_text(encoding="utf-8"), loader):
            for section, entries in part.items():
                found.update({f"{section}.{name}": own for name, own in entries.items()})
        for key, sentence in found.items():  # noqa: B007
            fields(sentence)
    except (OSError, ValueError, TypeError, AttributeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = TEXTS.name + (f", line {mark.line + 1}" if mark else "")
        reason = getattr(error, "problem", None) or "sections of keys and sentences go here"
        told = f"{key}: {error}" if key else f"cannot be read: {reason}"
        raise TextError(f"{where}: {told}; mend it") from None
    return found


def fields(sentence: object) -> set[str]:
    """Return the names that a sentence is filled in with, in all of its forms.

    Raises ValueError for braces that do not fit, TypeError for what is no sentence.
    """
    if isinstance(sentence, dict) and REST not in sentence:
        raise TypeError(f"a form '{REST}' is missing")
    forms = list(sentence.values()) if isinstance(sentence, dict) else [sentence]
    if not all(isinstance(form, str) for form in forms):
        raise TypeError("this is no text")
    names = {name for form in forms for _, name, _, _ in Formatter().parse(form)} - {None}
    if not all(map(str.isidentifier, names)):
        raise ValueError("braces hold a name, as in {count}")
    return names


def number(value: float) -> str:
    """Return a number as people write it: 3, -0.5, infinity."""
    if math.isinf(value):
        infinity = say("words.infinity")
        return infinity if value > 0 else f"-{infinity}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def names(root: Position, paths: Sequence[tuple]) -> str:
    """Return the names of positions as a list in words, the first few of many."""
    listed = [root.at(path).name for path in paths[:MAX_NAMES]]
    more = len(paths) - len(listed)
    return in_words([*listed, say("words.more", count=more)] if more > 0 else listed)


def in_words(parts: list[str]) -> str:
    """Return words as people list them: "", "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say("words.and", listed=", ".join(parts[:-1]), last=parts[-1])


def player(root: Position, search: Search, path: tuple) -> str:
    """Return a node's name and who moves there: "C (MIN)"."""
    who = "MAX" if search.max_moves_at(path) else "MIN"
    return f"{root.at(path).name} ({who})"


def question(search: Search) -> str:
    """Return "depth 2, MAX moves first", and a narrow window's alpha and beta."""
    key = "home.search" if search.full_window else "home.search in a window"
    player, bounds = "MAX" if search.maximizing else "MIN", (search.alpha, search.beta)
    alpha, beta = map(number, bounds)
    return say(key, depth=search.depth, player=player, alpha=alpha, beta=beta)


def call(tree: Tree, search: Search, function: str) -> str:
    """Return the call of a search, as a student would write it."""
    values = zip(FUNCTIONS[function].arguments, search.arguments(function))
    shown = (f"{name}={x if isinstance(x, bool) else number(x)}" for name, x in values)
    return f"{function}({tree.root.name}, {', '.join(shown)})"
