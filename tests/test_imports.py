"""Modules import only what the map in CONTRIBUTING.md allows, and reach no hidden tree."""

import ast
import re
import typing
from inspect import isclass

import pytest
from helpers import PYTHON, ROOT, run_command
from manuals import CONTRIBUTING

from autograder.grading import Grading
from autograder.scoring.scores import Result
from gametree.support.judging import Task
from gametree.support.trace import Trace
from gametree.support.tree import Tree

# Part -> its line on the map. A module imports only from this line and those above it.
MAP = re.search(r"```text\n(starter/gametree.*?)```", CONTRIBUTING, re.DOTALL)[1]
LAYER = {}
for number, line in enumerate(MAP.splitlines()):
    names, _, _ = line.removeprefix("starter/").partition("  ")
    LAYER.update(dict.fromkeys(re.findall(r"\w+", names), number))
SEPARATE = {"sandbox", "smalltrees"}  # on one line, but they may not import each other
SOURCES = sorted(
    path
    for folder in ("starter/gametree", "autograder")
    for path in (ROOT / folder).rglob("*.py")
    if path != ROOT / "autograder" / "__init__.py"  # which belongs to no part
)


def part_of(module):
    """Return the part that a module of the kit belongs to, or None for other modules."""
    names = module.split(".")
    if names[0] == "gametree":
        return "gametree"
    if names[0] == "autograder" and len(names) > 1 and names[1] in LAYER:
        return names[1]
    return None  # a name that autograder/__init__.py defines has no part


def part_of_file(path):
    """Return the part that a file belongs to."""
    return path.relative_to(ROOT).with_suffix("").parts[1]


def imports_of(path):
    """Yield (line, module) of every absolute import in a file."""
    for item in ast.walk(ast.parse(path.read_text())):
        if isinstance(item, ast.Import):
            for alias in item.names:
                yield item.lineno, alias.name
        elif isinstance(item, ast.ImportFrom) and item.level == 0:
            if item.module != "autograder":
                yield item.lineno, item.module
                continue
            for alias in item.names:
                yield item.lineno, f"autograder.{alias.name}"


def forbidden_imports(path, part):
    """Return a line for each import that a file of this part may not have."""
    found = []
    for line, module in imports_of(path):
        imported = part_of(module)
        if imported in (None, part):
            continue
        if LAYER[imported] > LAYER[part] or {imported, part} == SEPARATE:
            found.append(f"{path.name}:{line} imports {module}")
    return found


def test_every_module_is_on_the_map():
    assert {part_of_file(path) for path in SOURCES} == LAYER.keys()


def test_no_import_is_forbidden():
    found = []
    for path in SOURCES:
        found += forbidden_imports(path, part_of_file(path))
    assert found == []


def test_forbidden_imports_are_found(tmp_path):
    """An attribute of the package autograder belongs to no part."""
    path = tmp_path / "probe.py"
    path.write_text("from autograder import VERSION, grading\nimport gametree\n")
    assert forbidden_imports(path, "sandbox") == ["probe.py:1 imports autograder.grading"]


def test_nothing_imports_the_solution_or_a_submission_by_name():
    for path in SOURCES:
        imported = {module.split(".")[0] for _, module in imports_of(path)}
        assert imported.isdisjoint({"solution", "search"}), path


SLOW = {"argparse", "ast", "dataclasses", "inspect", "traceback", "unittest", "yaml"}


def test_a_grading_starts_without_modules_that_are_slow_to_import():
    """Each takes 2 to 25 ms, and a correct submission needs none of them."""
    names = "import sys, autograder.single; print(*sys.modules)"
    run = run_command([PYTHON, "-S", "-c", names], ROOT, check=True)
    assert SLOW.isdisjoint(run.stdout.split())


# ---- no screen, page or book can reach a hidden tree, or the events of its search

SECRET = (Task, Trace, Tree)
LATE = {"Localisation": str, "Variant": str}  # types that are imported late
# The parts of a Grading that lead to a tree or a search: all are public, small or correct.
OPEN = {"public", "load_failure", "explanation"}
SHOWING = sorted(
    path
    for folder in ("showing", "course")
    for path in (ROOT / "autograder" / folder).glob("*.py")
)


def fields_of(kind):
    """Return name -> type of the fields of a record, {} for any other type."""
    if not (isclass(kind) and hasattr(kind, "_fields")):
        return {}
    return typing.get_type_hints(kind, localns=LATE)


def types_within(kind, seen=None):
    """Return all types that the annotations of a type lead to, itself included."""
    seen = set() if seen is None else seen
    if kind not in seen:
        seen.add(kind)
        for part in (*typing.get_args(kind), *fields_of(kind).values()):
            if part is not Ellipsis:
                types_within(part, seen)
    return seen


def test_a_result_has_its_aspects_and_its_ending_alone():
    assert list(fields_of(Result)) == ["aspects", "ending"]


def test_only_public_parts_of_a_grading_lead_to_a_tree_or_a_search():
    leading = {
        name
        for name, kind in fields_of(Grading).items()
        if not types_within(kind).isdisjoint(SECRET)
    }
    assert leading == OPEN


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.stem)
def test_a_module_that_shows_cannot_reach_a_hidden_tree_or_run_it(path):
    """The module kit.contents lists and hashes files, and loads none of them."""
    imported = {module for _, module in imports_of(path)}
    closed = {"autograder.kit", "autograder.kit.loading", "autograder.sandbox"}
    assert imported.isdisjoint(closed)
