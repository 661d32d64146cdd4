"""Make trees from lists, tasks, traces and programs, for several tests."""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import sys
import zipfile
from functools import cache
from inspect import getfile, signature
from itertools import islice
from pathlib import Path

import pytest
import yaml

import autograder  # noqa: F401  puts starter/ on the path
from autograder.explaining.library import run_variants
from autograder.explaining.variants import load_variant, load_variants, run_source
from autograder.kit import Kit, cached_kit
from autograder.kit.loading import load_reference
from autograder.sandbox import Session
from autograder.scoring.rubric import load_rubric
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees.enumeration import small_trees
from gametree import observe, parse_tree
from gametree.functions import FUNCTIONS
from gametree.support.errors import InputError
from gametree.support.trace import EVALUATE, Answer, Ending, Trace

ROOT = Path(__file__).resolve().parent.parent


def kit_text(path):
    """Return the text of a file, given its path in the kit."""
    return (ROOT / path).read_text()


CORRECT = kit_text("solution/search.py")  # the reference
REFERENCE_SOURCE = CORRECT.encode()
STUBS = kit_text("starter/search.py")
RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")
PYTHON = sys.executable
HOSTILE = ROOT / "tests" / "hostile"
SECRETS = [  # in the hidden trees of the hostile kit
    "canary",
    "31336",
    "31337",
    "31339",
    "31340",
    "41551",
    "41552",
    "41554",
    "41555",
    "41556",
    "41557",
    "41558",
]


@cache
def reference():
    """Return the reference, loaded once."""
    return load_reference(RUBRIC)


@cache
def variants_in(folder, convention="equality"):
    """Return the programs of a folder of solution/, loaded once."""
    return load_variants(ROOT / "solution" / folder, convention)


def variant(name, convention="equality"):
    """Return a program of solution/, such as "mistakes/no_cutoff"."""
    return load_variant(ROOT / "solution" / f"{name}.py", convention)


@cache
def own_kit():
    """Return the kit itself, loaded once from its cache."""
    return cached_kit()


def trees_in(folder):
    """Return the kit's public or hidden trees."""
    return list(getattr(own_kit(), folder))


@cache
def first_small_trees():
    """Return the beginning of the ladder, on which most wrong programs fail."""
    return list(islice(small_trees(), 300))


@cache
def tables(name):
    """Return the content of NAME.yaml in this folder: section -> rows."""
    text = kit_text(f"tests/{name}.yaml")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def tables_beside(test_file):
    """Return the content of the .yaml file beside a test file: section -> rows."""
    path = Path(test_file).with_suffix("")
    return tables(path.relative_to(ROOT / "tests"))


def cases(section):
    """Return a decorator that runs a test for each row of a section of the file beside it.

    The file of test_x.py is test_x.yaml. A row is a list of values or one value, which are
    the test's first arguments. It may have a name.
    """
    return lambda test: _for_each_row(tables_beside(getfile(test))[section], test)


def slips(section):
    """Return such a decorator for slips.yaml, whose last column is a part of the error."""
    return lambda test: _for_each_row(tables("slips")[section], test)


def _for_each_row(table, test):
    named = table.items() if isinstance(table, dict) else [(None, row) for row in table]
    rows = []
    for name, row in named:
        values = row if isinstance(row, list) else [row]
        rows.append(pytest.param(*values, id=name))
    arguments = [name for name in signature(test).parameters if name != "self"]
    return pytest.mark.parametrize(arguments[: len(values)], rows)(test)


def rows_of(book):
    """Return the rows of a .csv file, as dictionaries."""
    with open(book, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write(path, files, kind=zipfile.ZIP_DEFLATED):
    """Write files (name -> bytes or text) into a zip or a folder. Return its path.

    A name that ends in / is a folder. A name in a zip may be a ZipInfo.
    """
    if path.suffix == ".zip":
        _write_zip(path, files, kind)
        return path
    path.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        target = path / name
        if name.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
            continue
        if isinstance(content, str):
            content = content.encode()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return path


def _write_zip(path, files, kind):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name) if isinstance(name, str) else name
            archive.writestr(entry, content, kind)


def write_program(path, script):
    """Write a shell script that can be run in place of another program. Return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def change_file(path, *pairs):
    """Replace (old, new) in a file, once each."""
    text = path.read_text()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new, 1)
    path.write_text(text)


def without_counts(screen):
    """Replace the counts of trees and searches in a screen, which new trees change."""
    screen = re.sub(r"\d+ of \d+\s+searches", "* of * searches", screen)
    tried = "the one tree|both trees|all [\\d,]+ trees"
    return re.sub(rf"passes (?:{tried}) tried", "passes all * trees tried", screen)


def refusal_of(call, *arguments):
    """Assert that a call raises an InputError of one printable line. Return the line."""
    with pytest.raises(InputError) as caught:
        call(*arguments)
    line = str(caught.value)
    assert line.isprintable()
    return line


def check_words(text, said=(), not_said=()):
    """Check that a text has some words and lacks others. Its lines may break anywhere."""
    both = f"{text}\n{' '.join(text.split())}"
    assert [words for words in said if words not in both] == [], text
    assert [words for words in not_said if words in both] == [], text


def run_command(command, folder, **options):
    """Run a command in a folder. Return the completed process, with its texts."""
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 120, **options}
    return subprocess.run(command, cwd=folder, **options)


def check_figure(path, words, written):
    """Check a figure in a text for people.

    words: a pattern of the words around the figure, which is its group.
    written: the figure as the text must show it.
    """
    text = path.read_text()
    found = re.search(words.replace(" ", r"\s+"), text)
    reason = f"in {path.name}, write {written} for {found[1]!r} in {words!r}"
    assert found[1] == written, reason


def definitions(text):
    """Return name -> code of the functions and classes of a text, without docstrings."""
    named = {part.name: part for part in ast.parse(text).body if hasattr(part, "name")}
    for part in named.values():
        if ast.get_docstring(part) is not None:
            del part.body[0]
    return {name: ast.unparse(part) for name, part in named.items()}


def tree_of(nested, root="max", searches=None, name="tree"):
    """Return a Tree of nested lists; `searches` is YAML text such as "[{depth: 1}]"."""
    lines = [f"title: {name}", f"lesson: the lesson of {name}", f"root: {root}"]
    lines += [f"tree: {nested}"]
    if searches:
        lines.append(f"searches: {searches}")
    return parse_tree("\n".join(lines) + "\n", name)


def tasks_of(*trees, functions=tuple(FUNCTIONS), hidden=False):
    """Return the tasks that the trees make."""
    return tasks_for(trees, reference(), functions, hidden)


def task_of(nested, function, root="max", searches=None):
    """Return the first task of one function on one tree."""
    return tasks_of(tree_of(nested, root, searches), functions=(function,))[0]


def small_kit(public, hidden=(), mistakes=(), **changes):
    """Return a kit of these trees and known mistakes. Its rubric has these changes."""
    rubric = RUBRIC._replace(**changes)
    program = load_reference(rubric)
    tasks = (*tasks_for(public, program), *tasks_for(hidden, program, hidden=True))
    kit = Kit(ROOT, rubric, public, hidden, tasks)
    kit.library = run_variants(mistakes, tasks)
    return kit


def copy_with(record, **fields):
    """Return a copy of a record of a plain class, with these fields and nothing cached."""
    kind = type(record)
    given = {name: getattr(record, name) for name in signature(kind).parameters}
    return kind(**{**given, **fields})


def trace_of(source, task):
    """Run trusted source on a task in this process; return its trace."""
    function = getattr(run_source(source), task.function)
    return observe(function, task.function, task.tree, task.search, 10_000)


def visiting(search, paths, function="alphabeta"):
    """Return the Trace of a search that evaluates the nodes at these paths."""
    events = [(EVALUATE, path) for path in paths]
    return Trace(function, search, events, Answer(), Ending())


def changed(*pairs, function="alphabeta", source=None):
    """Return the reference (or a source) with (old, new) replaced in one function."""
    text = source or CORRECT
    before, name, rest = text.partition(f"def {function}(")
    body, following, after = rest.partition("\ndef ")
    for old, new in pairs:
        assert old in body
        body = body.replace(old, new)
    return before + name + body + following + after


def program_of(changes):
    """Return the reference with changes: function -> its pairs (old, new)."""
    source = CORRECT
    for function, pairs in changes.items():
        source = changed(*pairs, function=function, source=source)
    return source


def run_isolated(sandbox, source, tasks):
    """Run a source text in the sandbox; return the Trace of each task."""
    source = source if isinstance(source, bytes) else source.encode()
    return list(Session(sandbox, source).run(tasks, sealed=False))
