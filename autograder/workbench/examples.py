"""Fill in the examples of the handout with what a student's computer prints.

The text after ``` of a block in handout.md names the example:

    text tree trees/x.yaml            the drawing of a public tree
    text alphabeta trees/x.yaml 2     the same, with the marks of its second search
    text alphabeta max [1, [1, 1]]    the same for a tree that is written as lists
    text pytest minimax NAME          what the public tests of minimax print for this
                                      known mistake
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.ground.files import replace_file
from autograder.kit import Kit
from gametree import observe, parse_tree
from gametree.support.drawing import draw
from gametree.support.errors import InputError
from gametree.support.marks import marks_of

TREE, ALPHABETA, PYTEST = "tree", "alphabeta", "pytest"
BLOCK = re.compile(
    rf"^```text (?P<kind>{TREE}|{ALPHABETA}|{PYTEST}) (?P<about>.*)\n"
    r"(?P<body>(?:.*\n)*?)```$",
    re.MULTILINE,
)
# What a failed test prints, up to the line that says that pytest stops.
FAILURE = re.compile(r"^_+ test\[.*\] _+\n((?:.*\n)*?)!!!", re.MULTILINE)
COLUMNS = "77"  # of the terminal
# These would change what pytest prints.
UNSET = ("PYTHONPATH", "PYTEST_ADDOPTS")


def fill_in_examples(text: str, kit: Kit, starter: Mapping[str, bytes]) -> str:
    """Return the handout with the current content of each example.

    A run of the tests keeps its number of paragraphs, so handout.md decides how much of it
    is shown. Raises InputError if an example does not exist.

    starter: archive name -> content of the files that students download.
    """
    blocks = list(BLOCK.finditer(text))
    with ThreadPoolExecutor() as pool:
        bodies = iter(list(pool.map(partial(_body_of, kit, starter), blocks)))
    return BLOCK.sub(lambda block: f"```text\n{next(bodies)}\n```", text)


def _body_of(kit, starter, block):
    """Return the current content of a block. Raises InputError."""
    kind = block["kind"]
    first, _, rest = block["about"].partition(" ")
    try:
        if kind == PYTEST:
            paragraphs = block["body"].split("\n\n")
            return _failed_run(kit, starter, first, rest, len(paragraphs))
        tree, search = _search_of(kit, first, rest)
    except InputError as error:
        name = f"{kind} {block['about']}"
        raise InputError(f"handout.md: the example {name!r}: {error}") from None
    if kind == TREE:
        return draw(tree)
    trace = observe(kit.reference.function(ALPHABETA), ALPHABETA, tree, search)
    return draw(tree, search, marks_of(tree, trace, trace.visited))


def _search_of(kit, first, rest):
    """Return the tree and the search that an example names. Raises InputError.

    first, rest: the path of a public tree and the number of a search, or the player at the
        root and a tree in lists.
    """
    if not first.startswith("trees/"):
        tree = parse_tree(f"root: {first}\ntree: {rest}\n", "this tree")
        return tree, tree.searches[0]
    for tree in kit.public:
        for number, search in enumerate(tree.searches, start=1):
            if f"trees/{tree.name}.yaml {number}" == f"{first} {rest or 1}":
                return tree, search
    raise InputError("no public tree has this file name and a search of this number")


def _failed_run(kit, starter, function, mistake, paragraphs):
    """Return the first paragraphs of what the first failed test of a function prints."""
    sources = {known.name: known.source for known in kit.library.variants}
    if mistake not in sources:
        raise InputError(f"{mistake} is not a known mistake of this course")
    with TemporaryDirectory() as folder:
        for name, content in (starter | {"search.py": sources[mistake].encode()}).items():
            replace_file(Path(folder) / name, content)
        printed = run_public_tests(Path(folder), "-x", "-k", function)
    failure = FAILURE.search(printed)
    if not failure:
        raise InputError(f"no public test of {function} fails; name another mistake")
    return "\n\n".join(failure[1].rstrip("\n").split("\n\n")[:paragraphs])


def run_public_tests(folder: Path, *options: str) -> str:
    """Return what the public tests print in the folder of an unpacked starter."""
    environment = dict(os.environ, COLUMNS=COLUMNS, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    for name in UNSET:
        environment.pop(name, None)
    command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout
