"""Hold the files of sentences against the code that says them, and against English."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gametree import saying
from gametree.saying import ENGLISH, TextError, fields

SAY = {"say", "message", "_said"}  # functions that take a key, and values by name
SELECTS = {"count"}  # picks a form, so that a sentence need not name it
MISTAKES = "mistakes."
ELSEWHERE = (MISTAKES, "lessons.", "titles.")  # what other languages have beside English


def mismatches(root: Path, language: str = ENGLISH) -> Iterator[str]:
    """Yield a line for each sentence that does not fit, in English and in a language."""
    try:
        english = saying.read(ENGLISH)
        own = english if language == ENGLISH else saying.read(language)
    except TextError as error:
        yield str(error)
        return
    said = said_in(root)
    families = tuple(key[:-1] for key in said if key.endswith("*"))
    for key, given in said.items():
        if given is not None and key not in english and not key.endswith("*"):
            yield f"texts/{ENGLISH}.yaml: '{key}' is said, and missing; add it"
    for key, sentence in english.items():
        if key not in said and not key.startswith(families):
            yield f"texts/{ENGLISH}.yaml: nothing says '{key}'; take it out"
        if said.get(key) is not None:
            yield from _unknown(ENGLISH, key, fields(sentence) - said[key])
    if language != ENGLISH:
        yield from _beside_english(language, english, own)


def _beside_english(language, english, own):
    file = f"texts/{language}.yaml"
    for key in english.keys() - own.keys():
        yield f"{file}: '{key}' is missing, and said in English; translate it"
    for key, sentence in own.items():
        if key.startswith(MISTAKES):
            yield from _unknown(language, key, fields(sentence) - {"number"})
            if not isinstance(sentence, list) or len(sentence) != 2:
                yield f"{file}: {key}: write what it does, and what to do about it"
        elif key in english:
            given = fields(english[key]) | SELECTS
            yield from _unknown(language, key, fields(sentence) - given)
        elif not key.startswith(ELSEWHERE):
            yield f"{file}: '{key}' is no key of {ENGLISH}.yaml; take it out"


def _unknown(language, key, names):
    for name in sorted(names):
        yield f"texts/{language}.yaml: {key}: nothing fills in {{{name}}}; mend it"


def untranslated(root: Path, language: str) -> list[str]:
    """Return the files of solution/mistakes that a language has no sentences of."""
    known = saying.read(language)
    files = sorted((root / "solution" / "mistakes").glob("*.py"))
    return [path.stem for path in files if f"{MISTAKES}{path.stem}" not in known]


@cache
def said_in(root: Path) -> dict[str, set[str] | None]:
    """Return key -> the names that fill it in wherever it is said, None where unknown.

    A key that is made of a kind of data ends with "*".
    """
    said = {}
    for key, names in _mentions(root):
        before = said.setdefault(key, names)
        if None not in (before, names):
            said[key] = before & names
        elif names is not None:
            said[key] = names
    return said


def _mentions(root):
    sections = {key.partition(".")[0] for key in saying.read(ENGLISH)}
    for folder in ("starter", "autograder"):
        for path in sorted((root / folder).rglob("*.py")):
            module = ast.parse(path.read_text(encoding="utf-8"))
            yield from _mentioned(module, sections)
            for item in ast.walk(module):
                if isinstance(item, ast.FunctionDef):
                    yield from _calls(item, sections)


def _calls(function, sections):
    """Yield the keys of calls that name all their values, with those."""
    kept = {}  # variable -> the keys that it may be
    for item in ast.walk(function):
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            kept.setdefault(item.targets[0].id, []).append(item.value)
    for item in ast.walk(function):
        if isinstance(item, ast.Call) and getattr(item.func, "id", "") in SAY and item.args:
            first = item.args[0]
            sources = kept.get(first.id, []) if isinstance(first, ast.Name) else [first]
            names = {each.arg for each in item.keywords}
            for source in sources if None not in names else ():
                either = [source]
                if isinstance(source, ast.IfExp):
                    either = [source.body, source.orelse]
                for key in filter(None, map(_key, either)):
                    if key.partition(".")[0] in sections:
                        yield key, names


def _key(item):
    """Return the text that an expression is, or begins with, and then "*"; else ""."""
    text = getattr(item, "value", "")
    if isinstance(item, ast.JoinedStr) and item.values:
        text = getattr(item.values[0], "value", "")
        return f"{text}*" if isinstance(text, str) else ""
    return text if isinstance(item, ast.Constant) and isinstance(text, str) else ""


def _mentioned(item, sections):
    """Yield (key, None) for each text below an item that begins with a section."""
    inside = set()
    for part in ast.walk(item):
        if isinstance(part, ast.JoinedStr):
            inside |= set(map(id, part.values))
        key = _key(part) if id(part) not in inside else ""
        if key.partition(".")[0] in sections and "." in key:
            yield key, None
