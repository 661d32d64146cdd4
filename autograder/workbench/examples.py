"""Fill in the examples of the handout with what a student's computer prints.

The text after ``` of a block in handout.md names the example:

    text tree trees/x.yaml 1        the drawing of a public tree
    text alphabeta trees/x.yaml 2   the same, with the marks of its second search
    text pytest NAME                what the public tests print for this known mistake
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.ground.files import replace_file
from autograder.kit import Kit
from gametree.support.drawing import draw
from gametree.support.errors import InputError
from gametree.support.judging import Task
from gametree.support.marks import Marks

BLOCK = re.compile(r"^```text (tree|alphabeta|pytest) (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
# What a failed test prints, up to the line that says that pytest stops.
FAILURE = re.compile(r"^_+ test\[.*\] _+\n((?:.*\n)*?)!!!", re.MULTILINE)
# Nothing in the environment of an instructor changes what a student reads.
ENVIRONMENT = {"COLUMNS": "77", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def fill_in_examples(text: str, kit: Kit, starter: Mapping[str, bytes]) -> str:
    """Return the handout with the current content of each example.

    A run of the tests keeps its number of paragraphs, so handout.md decides how much of it
    is shown. Raises InputError if an example does not exist.

    starter: archive name -> content of the files that students download.
    """

    def fill_in(block):
        kind, name, body = block.groups()
        try:
            if kind == "pytest":
                paragraphs = failed_test(kit, starter, name).split("\n\n")
                body = "\n\n".join(paragraphs[: body.count("\n\n") + 1])
            else:
                body = drawing(kit, kind, name)
        except InputError as error:
            reason = f"the example '{kind} {name}': {error}"
            raise InputError(f"handout.md: {reason}") from None
        return f"```text\n{body}\n```"

    return BLOCK.sub(fill_in, text)


def drawing(kit, kind, name):
    """Return the drawing of a public tree, with or without the marks of a search.

    name: the path of the tree and the number of the search.
    """
    searches = {}
    for tree in kit.public:
        for number, search in enumerate(tree.searches, start=1):
            searches[f"trees/{tree.name}.yaml {number}"] = tree, search
    if name not in searches:
        raise InputError("no public tree has this file name and a search of this number")
    tree, search = searches[name]
    if kind == "tree":
        return draw(tree)
    trace = kit.reference.trace("alphabeta", tree, search)
    task = Task(tree, "alphabeta", search, trace, ())
    return draw(tree, search, Marks(task, trace))


def failed_test(kit, starter, mistake):
    """Return what the first public test prints that fails for a known mistake."""
    files = starter | {"search.py": source_of(kit, mistake)}
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            replace_file(Path(folder) / name, content)
        printed = run_public_tests(Path(folder), "-x")
    failure = FAILURE.search(printed)
    if not failure:
        raise InputError("no public test fails; name another mistake")
    return failure[1].rstrip("\n")


def source_of(kit: Kit, mistake: str) -> bytes:
    """Return the program of a known mistake. Raises InputError if there is none."""
    for known in kit.library.variants:
        if known.name == mistake:
            return known.source.encode()
    raise InputError(f"{mistake} is not a known mistake of this course")


def run_public_tests(folder: Path, *options: str) -> str:
    """Return what the public tests print in the folder of an unpacked starter."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout
