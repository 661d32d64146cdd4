"""Sentences that students read: picked by a key and filled in.

They stand in texts.yaml. Its first part is what this package says, at home as well; the
part below is the autograder's.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Formatter

TEXTS = Path(__file__).resolve().parent / "texts.yaml"
REST = "other"  # the form for each number that has none of its own


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


@cache
def sentences() -> dict[str, str | dict]:
    """Return key -> sentence, a text or its forms by number. Raises TextError."""
    import yaml  # 50 ms, which a right submission of a known kit does not need

    found = {}
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for part in yaml.load_all(TEXTS.read_text(encoding="utf-8"), loader):
            for section, entries in part.items():
                found.update({f"{section}.{name}": own for name, own in entries.items()})
    except (OSError, ValueError, AttributeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = TEXTS.name + (f", line {mark.line + 1}" if mark else "")
        reason = getattr(error, "problem", None) or "sections of keys and sentences go here"
        raise TextError(f"{where}: cannot be read: {reason}; mend it") from None
    for key, sentence in found.items():
        try:
            fields(sentence)
        except (ValueError, TypeError) as error:
            raise TextError(f"{TEXTS.name}: {key}: {error}; mend it") from None
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
