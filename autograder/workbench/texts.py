"""Check the sentences for students: texts.yaml must have all that the kit uses.

The kit must also be able to fill in every placeholder.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from autograder.scoring.features import CONCEPTS, LIMITS
from autograder.showing.wording import CONDITIONS
from gametree.functions import LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.support.texts import REST, TEXTS, load_sentences

# A section with computed keys -> the names that it needs.
COMPUTED = {
    "concept": CONCEPTS,
    "condition": CONDITIONS,
    "limit": LIMITS.values(),
    "held": (VALUE, MOVE, LEAVES, NODE_COUNT),
}


def text_problems() -> Iterator[str]:
    """Yield one line for each sentence that is missing or cannot be filled in."""
    sentences = load_sentences()
    for key, names in sorted(used_sentences().items()):
        forms = sentences.get(key)
        if forms is None:
            yield f"{TEXTS.name}: {key}: this sentence is missing; restore it"
            continue
        if not isinstance(forms, dict):
            forms = {REST: forms}
        if REST not in forms:
            yield f"{TEXTS.name}: {key}: a form '{REST}' is missing; write it"
        for form in forms.values():
            problem = why_not_filled(form, names)
            if problem:
                yield f"{TEXTS.name}: {key}: {problem}"


def used_sentences() -> dict[str, frozenset[str]]:
    """Return the key of each sentence in the kit's code -> the placeholders it fills in.

    A call whose first argument is a key fills in its keyword arguments. The other keys of
    a module are in its tables, and its calls sentence(TABLE[...], ...) fill them in.
    """
    used = defaultdict(set)
    sections = {key.partition(".")[0] for key in load_sentences()}
    for folder in (TEXTS.parents[1], Path(__file__).resolve().parents[1]):
        for path in folder.rglob("*.py"):
            module = ast.parse(path.read_text(encoding="utf-8"))
            _add_sentences(module, sections, used)
    return {key: frozenset(names) for key, names in used.items()}


def _add_sentences(module, sections, used):
    """Add the sentences that a module uses to key -> names of placeholders."""
    nodes = list(ast.walk(module))
    in_tables = _keys_in(nodes, sections)
    filled_in = set()
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        names = {keyword.arg for keyword in node.keywords if keyword.arg}
        keys = set()
        if not isinstance(node.args[0], ast.Call):  # which fills in its own keys
            keys = _keys_in(ast.walk(node.args[0]), sections)
        in_tables -= keys
        for key in keys:
            used[key] |= names
        if not keys and ast.unparse(node.func) == "sentence":
            filled_in |= names
    for key in in_tables:
        used[key] |= filled_in


def _keys_in(nodes, sections):
    """Return the keys of sentences among syntax nodes. "section." stands for all of it.

    These are all names in COMPUTED and all sentences that the section has.
    """
    keys = set()
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        section, dot, name = node.value.partition(".")
        if not dot or section not in sections:
            continue
        if name:
            keys.add(node.value)
        else:
            keys.update(key for key in load_sentences() if key.startswith(node.value))
            keys.update(node.value + name for name in COMPUTED.get(section, ()))
    return keys


def why_not_filled(form: str, names: frozenset[str]) -> str:
    """Return why the placeholders with these names cannot be filled in, "" if they can."""
    try:
        str.format(form, **dict.fromkeys(names, 3))  # which every format of a number takes
    except KeyError as error:
        known = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
        return f"{{{error.args[0]}}} is unknown; known here: {known}"
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        return f"{form!r} cannot be filled in: {error}"
    return ""
