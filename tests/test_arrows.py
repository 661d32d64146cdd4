"""Imports follow the arrows of CONTRIBUTING's map."""

import ast
import sys

from helpers import ROOT

# From the bottom up; a module imports its own floor and those below it.
FLOORS = [
    {"gametree"},
    {"plaintext", "files", "processes", "progress", "tasks"},
    {"sandbox", "smalltrees"},
    {"judging"},
    {"mistakes"},
    {"counterexample", "localisation", "byhand"},
    {"rubricfile", "cache", "kit", "grading"},
    {"showing"},
    {"results"},
    {"command"},
    {"course", "workbench"},
    {"grade", "batch"},
]
APART = ("sandbox", "smalltrees")  # on one floor, and strangers to each other
BEFORE_A_SANDBOX = ("worker.py", "zygote.py", "protocol.py")
SOURCES = sorted(
    path
    for folder in ("starter/gametree", "autograder")
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)


def room_of(module):
    """Return the room that a module belongs to, or None for somebody else's."""
    parts = module.split(".")
    if parts[0] == "gametree":
        return "gametree"
    return parts[1] if parts[0] == "autograder" and len(parts) > 1 else None


def floor_of(room):
    """Return the number of the floor that a room is on."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def imports_of(path):
    """Yield (line, module) of every absolute import in a file."""
    for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(item, ast.Import):
            yield from ((item.lineno, alias.name) for alias in item.names)
        elif isinstance(item, ast.ImportFrom) and item.level == 0:
            names = (alias.name for alias in item.names)
            if item.module == "autograder":
                yield from ((item.lineno, f"autograder.{name}") for name in names)
            else:
                yield item.lineno, item.module


def module_of(path):
    relative = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(relative[1:] if relative[0] == "starter" else relative)


def against_the_arrows(path, own):
    """Yield a line for each import of a file in the room `own` that no arrow allows."""
    for line, module in imports_of(path):
        room = room_of(module)
        if room in (None, own):
            continue
        if floor_of(room) > floor_of(own) or {room, own} == set(APART):
            yield f"{path.name}:{line} imports {module}"


def test_every_module_stands_on_a_floor():
    rooms = {room_of(module_of(path)) for path in SOURCES} - {"__init__"}
    assert rooms == set().union(*FLOORS)


def test_imports_follow_the_arrows():
    found = []
    for path in SOURCES:
        room = room_of(module_of(path))
        if room != "__init__":
            found += against_the_arrows(path, room)
    assert found == []
    path = (
        ROOT / "autograder" / "grading" / "steps.py"
    )  # which may not be in a room further down
    assert len(list(against_the_arrows(path, "sandbox"))) > 5


def test_nothing_imports_the_solution_or_a_submission_by_name():
    imported = [(p.name, m.split(".")[0]) for p in SOURCES for _, m in imports_of(p)]
    assert [each for each in imported if each[1] in ("solution", "search")] == []


def test_the_worker_needs_the_standard_library_only():
    sandbox = ROOT / "autograder" / "sandbox"
    own = {"hardening", "protocol", "worker"}
    files = [sandbox / name for name in BEFORE_A_SANDBOX]
    files += sorted((sandbox / "hardening").glob("*.py"))
    files.append(ROOT / "starter" / "gametree" / "node.py")
    files.append(ROOT / "autograder" / "mistakes" / "edits.py")  # which a worker is sent
    for path in files:
        foreign = {module.split(".")[0] for _, module in imports_of(path)}
        assert foreign - own <= set(sys.stdlib_module_names), path
