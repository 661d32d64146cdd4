"""Sentences for students, selected by a key, and the words to fill them in.

The sentences are in texts.yaml. Its first part belongs to this package, which also runs on
students' computers. The second part belongs to the autograder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from gametree.support.errors import InputError
from gametree.support.tree import Position, Search

TEXTS = Path(__file__).resolve().parent.parent / "texts.yaml"
REST = "other"  # the form for all numbers without a form of their own
MAX_NAMES = 8
_sentences = {}  # key -> sentence; empty until the file is read


def sentence(key: str, /, **values: object) -> str:
    """Return the sentence of a key ("section.name") with its fields filled in.

    If a sentence has several forms, the value `count` selects one. Raises InputError.
    """
    form = load_sentences().get(key)
    if isinstance(form, dict):
        form = form.get(values.get("count"), form.get(REST))
    if not isinstance(form, str):
        raise InputError(f"{TEXTS.name}: {key}: this sentence is missing; restore it")
    try:
        return form.format(**values)
    except (AttributeError, IndexError, KeyError, ValueError) as error:
        problem = f"{TEXTS.name}: {key}: {form!r} cannot be filled in: {error}; fix it"
        raise InputError(problem) from None


def load_sentences() -> dict[str, str | dict]:
    """Return key -> sentence, a text or a dict of forms. Raises InputError."""
    if not _sentences:
        use_sentences(_read())
    return _sentences


def use_sentences(sentences: dict[str, str | dict]) -> None:
    """Use these sentences instead of texts.yaml; an empty dict reloads the file."""
    _sentences.clear()
    _sentences.update(sentences)


def _read():
    """Read key -> sentence from texts.yaml. Raises InputError."""
    import yaml  # costs 25 ms, and a cached kit does not need it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found = {}
    try:
        for part in yaml.load_all(TEXTS.read_text(encoding="utf-8"), loader):
            for section, entries in part.items():
                for name, forms in entries.items():
                    found[f"{section}.{name}"] = forms
    except (OSError, ValueError, AttributeError, yaml.YAMLError) as error:
        raise _unreadable(error) from None
    return found


def _unreadable(error):
    """Return the InputError for a file without sections of keys and sentences."""
    where = TEXTS.name
    mark = getattr(error, "problem_mark", None)
    if mark:
        where += f", line {mark.line + 1}"
    reason = getattr(error, "problem", None) or "sections of keys and sentences belong here"
    return InputError(f"{where}: cannot be read: {reason}; fix it")


def write_number(value: float) -> str:
    """Return a number as plain text: 3, -0.5, infinity."""
    if math.isinf(value):
        infinity = sentence("words.infinity")
        return infinity if value > 0 else f"-{infinity}"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value) if is_whole else value)


def list_names(root: Position, paths: Sequence[tuple]) -> str:
    """Return the names of positions as a list in words, at most MAX_NAMES of them."""
    listed = [root.at(path).name for path in paths[:MAX_NAMES]]
    more = len(paths) - len(listed)
    if more > 0:
        listed.append(sentence("words.more", count=more))
    return in_words(listed)


def in_words(parts: Sequence[str]) -> str:
    """Return words as a list: "", "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return sentence("words.and", listed=", ".join(parts[:-1]), last=parts[-1])


def name_player(root: Position, search: Search, path: tuple) -> str:
    """Return a node's name and player: "C (MIN)"."""
    return f"{root.at(path).name} ({search.player_at(path)})"


def describe_search(search: Search) -> str:
    """Return "depth 2, MAX moves first", with alpha and beta if the window is narrow."""
    return sentence(
        "home.search" if search.full_window else "home.search in a window",
        depth=search.depth,
        player=search.player_at(()),
        alpha=write_number(search.alpha),
        beta=write_number(search.beta),
    )
