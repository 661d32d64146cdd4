"""Check the sentences for students, and list those that are as in the kit: `make texts`.

texts.yaml must have all sentences, and the kit must be able to fill in every placeholder.
The kit's own sentences are read from git, so that no record of them is needed.
"""

from __future__ import annotations

import ast
import io
import subprocess
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml

from autograder.ground.command import run, say
from autograder.kit import ROOT
from gametree.support.errors import InputError
from gametree.support.texts import REST, TEXTS, load_sentences

KIT = "kit/main"  # as docs/each-term.md names the kit's branch
SENTENCES = "starter/gametree/texts.yaml"
# The files whose sentences are listed. A tree or a family of trees has them in FIELDS.
PATTERNS = (
    SENTENCES,
    "trees/public/*.yaml",
    "trees/hidden/*.yaml",
    "autograder/smalltrees/families.yaml",
    "solution/mistakes/*.py",
)
FIELDS = ("title", "lesson")


def main():
    """Print the file and the text of each sentence that is as in the kit; return 0."""
    in_kit = set()
    for name, text in files_of_kit().items():
        in_kit.update(sentences_in(name, text))
    lines = []
    for pattern in PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            for sentence in sentences_in(name, path.read_text(encoding="utf-8")):
                if sentence in in_kit:
                    lines.append(f"{name}: {sentence}")
    for line in [*lines, f"{len(lines)} sentences are as in {KIT}"]:
        say(line)
    return 0


def files_of_kit() -> dict[str, str]:
    """Return name -> text of these files in the kit's own version. Raises InputError."""
    globs = [f":(glob){pattern}" for pattern in PATTERNS]
    command = ["git", "archive", "--format=zip", KIT, "--", *globs]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    if done.returncode:
        raise InputError(
            f"git has no branch {KIT}; run git remote add kit ADDRESS-OF-THE-KIT and git "
            "fetch kit"
        )
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        files = [name for name in archive.namelist() if not name.endswith("/")]
        return {name: archive.read(name).decode() for name in files}


def sentences_in(name: str, text: str) -> Iterator[str]:
    """Yield the sentences in the text of a file.

    texts.yaml also has the names of the rows. The docstring of a known mistake begins with
    its headline and the next step.
    """
    if name.endswith(".py"):
        yield from (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[:2]
    elif name == SENTENCES:
        for part in yaml.safe_load_all(text):
            yield from part.get("concept", ())
            for section in part.values():
                for forms in section.values():
                    yield from forms.values() if isinstance(forms, dict) else [forms]
    else:
        data = yaml.safe_load(text)
        for tree in data if isinstance(data, list) else [data]:
            yield from (tree[field] for field in FIELDS if field in tree)


# ---- the checks of texts.yaml


def text_problems() -> Iterator[str]:
    """Yield one line with the key of each sentence of texts.yaml that needs a fix."""
    sentences = load_sentences()
    used = used_sentences()
    for key in sorted(used.keys() - sentences.keys()):
        yield f"{TEXTS.name}: {key}: this sentence is missing; restore it"
    for key, forms in sentences.items():
        if key not in used:
            yield f"{TEXTS.name}: {key}: the kit does not use this sentence; remove it"
            continue
        if not isinstance(forms, dict):
            forms = {REST: forms}
        if REST not in forms:
            yield f"{TEXTS.name}: {key}: a form '{REST}' is missing; write it"
        for form in forms.values():
            problem = why_not_filled(form, used[key])
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
        keys = _keys_in(_choices(node.args[0]), sections)
        in_tables -= keys
        for key in keys:
            used[key] |= names
        if not keys and ast.unparse(node.func) == "sentence":
            filled_in |= names
    for key in in_tables:
        used[key] |= filled_in


def _choices(argument):
    """Return the syntax nodes of which one is the value, or its beginning."""
    if isinstance(argument, ast.IfExp):
        return [argument.body, argument.orelse]
    if isinstance(argument, ast.JoinedStr):
        return argument.values[:1]
    return [argument]


def _keys_in(nodes, sections):
    """Return the keys of sentences among syntax nodes. "section." stands for all of it."""
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


if __name__ == "__main__":
    run("texts", main)
