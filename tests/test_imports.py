"""Modules import only what the map in CONTRIBUTING.md allows."""

import ast
import re

from helpers import ROOT
from manuals import CONTRIBUTING

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
