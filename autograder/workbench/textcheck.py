"""Check texts.yaml: no sentence is missing, and every placeholder can be filled in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gametree.support.saying import TEXTS, find_fields, forms_of, load_sentences

# One line per sentence: its key, and the placeholders that the kit fills in.
PLACEHOLDERS = Path(__file__).with_name("placeholders.txt")
TRIED = (3, 0.5, "text")  # sample values for a placeholder


def text_problems() -> Iterator[str]:
    """Yield one line with the key of each sentence of texts.yaml that needs a fix."""
    sentences = load_sentences()
    known = load_placeholders()
    for key in known:
        if key not in sentences:
            yield f"{TEXTS.name}: {key}: this sentence is missing; restore it"
    for key, sentence in sentences.items():
        if key not in known:
            yield f"{TEXTS.name}: {key}: the kit does not use this sentence; remove it"
            continue
        for name in sorted(find_fields(sentence) - set(known[key])):
            listed = ", ".join(f"{{{other}}}" for other in known[key]) or "none"
            yield f"{TEXTS.name}: {key}: {{{name}}} is unknown; known here: {listed}"
        for form in forms_of(sentence):
            problem = why_not_filled(form)
            if problem:
                yield f"{TEXTS.name}: {key}: {form!r} cannot be filled in: {problem}"


def load_placeholders() -> dict[str, list[str]]:
    """Return key of a sentence -> the placeholders that the kit fills in."""
    placeholders = {}
    for line in PLACEHOLDERS.read_text(encoding="utf-8").splitlines():
        key, _, names = line.partition(":")
        placeholders[key] = names.split()
    return placeholders


def why_not_filled(form: str) -> str:
    """Return why the placeholders cannot be filled in, or "" if they can."""
    for value in TRIED:
        try:
            form.format(**dict.fromkeys(find_fields(form), value))
            return ""
        except ValueError as error:
            problem = str(error)
    return problem
