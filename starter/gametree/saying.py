"""Sentences that students read: picked by a key, filled in, in the language spoken.

They stand in texts/, a file for each language; the file's name is the language. Its first
part is what this package says, at home as well; the parts below are the autograder's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).resolve().parent / "texts"
ENGLISH = "en"  # what no other language has is said in it
REST = "other"  # the form for each number that has none of its own

_tables = {}  # language -> its table, once it was asked for
_spoken = []  # languages, the last one is spoken


class TextError(Exception):
    """A file of sentences that cannot be used; str says in one line where and why."""


def say(key: str, **values: object) -> str:
    """Return the sentence of a key in the language that is spoken, filled in.

    Where a sentence has several forms, the value `count` picks one.
    """
    sentence = table(language())[key]
    if isinstance(sentence, dict):
        sentence = sentence.get(values["count"], sentence[REST])
    return sentence.format(**values)


@dataclass(frozen=True)
class Message:
    """A sentence that is not said yet: str() says it in the language spoken then."""

    key: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self):
        return say(self.key, **dict(self.values))


def message(key: str, **values: object) -> Message:
    """Return the Message of what say() would return."""
    return Message(key, tuple(values.items()))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Have say() speak a language within the context."""
    _spoken.append(language)
    try:
        yield
    finally:
        _spoken.pop()


def entry(key: str) -> object:
    """Return what stands under a key in the language spoken, None where nothing does."""
    return table(language()).get(key)


def language() -> str:
    """Return the language that is spoken."""
    return _spoken[-1] if _spoken else at_home()


def languages() -> list[str]:
    """Return the languages that have a file."""
    return sorted(path.stem for path in TEXTS.glob("*.yaml"))


@cache
def at_home() -> str:
    """Return the language where nobody chose one: English, or the only one there is."""
    there = languages()
    return there[0] if len(there) == 1 else ENGLISH


def table(language: str) -> Mapping[str, object]:
    """Return key -> sentence of a language, in which nothing is missing."""
    if language not in _tables:
        _tables[language] = _readers[-1](language)
    return _tables[language]


def read_table(language: str) -> dict[str, object]:
    """Return key -> sentence; the language's own, and English for what it has not."""
    english = read(ENGLISH) if (TEXTS / f"{ENGLISH}.yaml").exists() else {}
    return english if language == ENGLISH else {**english, **read(language)}


_readers = [read_table]


def read_by(reader: Callable[[str], Mapping[str, object]]) -> None:
    """Have tables that nobody asked for yet come from a reader, which is quicker."""
    _readers[1:] = [reader]


def read(language: str) -> dict[str, object]:
    """Return key -> sentence of one file, checked. Raises TextError.

    A key is "section.name". A sentence is a text, or its forms by number.
    """
    import yaml  # where the tables are known, it is not needed

    path, found = TEXTS / f"{language}.yaml", {}
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for part in yaml.load_all(path.read_text(encoding="utf-8"), loader):
            for section, entries in part.items():
                found.update({f"{section}.{name}": own for name, own in entries.items()})
    except (OSError, ValueError, AttributeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"texts/{path.name}" + (f", line {mark.line + 1}" if mark else "")
        reason = getattr(error, "problem", None) or "sections of keys and sentences go here"
        raise TextError(f"{where}: cannot be read: {reason}; mend it") from None
    for key, sentence in found.items():
        try:
            fields(sentence)
        except (ValueError, TypeError) as error:
            raise TextError(f"texts/{path.name}: {key}: {error}; mend it") from None
    return found


def fields(sentence: object) -> set[str]:
    """Return the names that a sentence is filled in with, in all of its forms.

    Raises ValueError for braces that do not fit, TypeError for what is no sentence.
    """
    from string import Formatter

    forms = sentence
    if isinstance(sentence, dict):
        if REST not in sentence:
            raise TypeError(f"a form '{REST}' is missing")
        forms = list(sentence.values())
    forms = forms if isinstance(forms, list) else [forms]
    if not all(isinstance(form, str) for form in forms):
        raise TypeError("this is no text")
    names = [name for form in forms for _, name, _, _ in Formatter().parse(form)]
    names = {name for name in names if name is not None}
    if not all(map(str.isidentifier, names)):
        raise ValueError("braces hold a name, as in {count}")
    return names
