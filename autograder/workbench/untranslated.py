"""List the sentences for students that are still as in the kit: `make texts`.

They are compared with the kit's own version in git, so that no record of them is needed.
"""

from __future__ import annotations

import ast
import io
import subprocess
import zipfile
from collections.abc import Iterator

import yaml

from autograder.ground.command import run, say_all
from autograder.kit import ROOT
from gametree.support.errors import InputError

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
    say_all([*lines, f"{len(lines)} sentences are as in {KIT}"])
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


if __name__ == "__main__":
    run("texts", main)
