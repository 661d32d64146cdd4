"""Imports follow the arrows of the map in CONTRIBUTING.md."""

import ast
import re
import sys
from itertools import chain

import pytest
from helpers import ROOT
from manuals import CONTRIBUTING

# The floors of the map, from the bottom up. A module imports only its own floor and lower
# floors.
MAP = re.search(r"```text\n(starter/gametree.*?)```", CONTRIBUTING, re.DOTALL)[1]
FLOORS = []
for line in MAP.splitlines():
    names, _, _ = line.removeprefix("starter/").partition("  ")
    FLOORS.append(set(re.findall(r"\w+", names)))
STRANGERS = {"sandbox", "smalltrees"}  # on one floor, but without imports
SANDBOX = ROOT / "autograder" / "sandbox"
BEFORE_A_SANDBOX = [  # modules that run in the same process as a student's code
    SANDBOX / "worker.py",
    SANDBOX / "zygote.py",
    SANDBOX / "protocol.py",
    ROOT / "starter" / "gametree" / "node.py",
    ROOT / "autograder" / "mistakes" / "edits.py",  # these three are sent to a worker
    ROOT / "autograder" / "mistakes" / "reading.py",
    ROOT / "autograder" / "mistakes" / "syntax.py",
]
BEFORE_A_SANDBOX += sorted((SANDBOX / "hardening").glob("*.py"))
AMONG_THEMSELVES = {"hardening", "protocol", "worker"}
SENT_ALONG = {"autograder.mistakes.syntax"}
SOURCES = sorted(
    path
    for folder in ("starter/gametree", "autograder")
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)


def room_of(module):
    """Return the room of a module of the kit, or None for other modules."""
    parts = module.split(".")
    if parts[0] == "gametree":
        return "gametree"
    if parts[0] == "autograder" and len(parts) > 1:
        return parts[1]
    return None


def room_of_file(path):
    """Return the room of a file of the kit, or None for autograder/__init__.py."""
    relative = path.relative_to(ROOT).with_suffix("").parts
    if relative[0] == "starter":
        return "gametree"
    if relative == ("autograder", "__init__"):
        return None
    return relative[1]


def floor_of(room):
    """Return the number of the floor that a room is on."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def imports_of(path):
    """Yield (line, module) of every absolute import in a file."""
    for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(item, ast.Import):
            for alias in item.names:
                yield item.lineno, alias.name
        elif isinstance(item, ast.ImportFrom) and item.level == 0:
            if item.module != "autograder":
                yield item.lineno, item.module
                continue
            for alias in item.names:
                yield item.lineno, f"autograder.{alias.name}"


def against_the_arrows(path, room):
    """Return a line for each import of a file in this room that no arrow allows."""
    found = []
    for line, module in imports_of(path):
        imported = room_of(module)
        if imported in (None, room):
            continue
        if floor_of(imported) > floor_of(room) or {imported, room} == STRANGERS:
            found.append(f"{path.name}:{line} imports {module}")
    return found


def test_every_module_is_on_a_floor():
    rooms = {room_of_file(path) for path in SOURCES}
    assert rooms - {None} == set().union(*FLOORS)


def test_imports_follow_the_arrows():
    in_rooms = [(path, room_of_file(path)) for path in SOURCES]
    found = [against_the_arrows(path, room) for path, room in in_rooms if room]
    assert list(chain.from_iterable(found)) == []


def test_an_import_against_the_arrows_is_found():
    steps = ROOT / "autograder" / "grading" / "steps.py"
    assert len(against_the_arrows(steps, "sandbox")) == 5


def test_nothing_imports_the_solution_or_a_submission_by_name():
    for path in SOURCES:
        imported = {module.split(".")[0] for _, module in imports_of(path)}
        assert imported.isdisjoint({"solution", "search"}), path


@pytest.mark.parametrize("path", BEFORE_A_SANDBOX, ids=lambda path: path.name)
def test_the_worker_needs_the_standard_library_only(path):
    modules = {module for _, module in imports_of(path)} - SENT_ALONG
    imported = {module.split(".")[0] for module in modules}
    assert imported - AMONG_THEMSELVES <= set(sys.stdlib_module_names)
