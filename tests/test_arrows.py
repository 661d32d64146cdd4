"""Imports follow the arrows, and every file does one thing."""

import ast
import sys

import pytest
from helpers import ROOT

LAYERS = ["gametree", "running", "judging", "showing", "graded", "top"]
TOP = "top"  # grade, batch, workbench and what they share
BEFORE_A_SANDBOX = ("worker.py", "looks.py", "zygote.py", "protocol.py")
SOURCES = sorted(
    path
    for folder in ("starter/gametree", "autograder")
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)


def layer_of(module):
    """Return the layer that a module belongs to, or None for somebody else's."""
    parts = module.split(".")
    if parts[0] == "gametree":
        return "gametree"
    if parts[0] != "autograder":
        return None
    name = parts[1] if len(parts) > 1 else ""
    return name if name in LAYERS else TOP


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


def against_the_arrows(path):
    own = LAYERS.index(layer_of(module_of(path)))
    for line, module in imports_of(path):
        layer = layer_of(module)
        if layer is not None and LAYERS.index(layer) > own and module != "autograder":
            yield f"{path.relative_to(ROOT)}:{line} imports {module}"


def test_there_are_files_to_check():
    assert len(SOURCES) > 20


def test_imports_follow_the_arrows():
    assert [slip for path in SOURCES for slip in against_the_arrows(path)] == []


def test_an_import_against_the_arrows_would_be_seen(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("from autograder.judging import verdict\n")
    assert list(imports_of(bad)) == [(1, "autograder.judging")]
    assert LAYERS.index(layer_of("autograder.judging")) > LAYERS.index("running")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_nothing_imports_the_solution_or_a_submission_by_name(path):
    assert {m.split(".")[0] for _, m in imports_of(path)} & {"solution", "search"} == set()


def test_the_worker_needs_the_standard_library_only():
    running = ROOT / "autograder" / "running"
    own = {"hardening", "looks", "protocol", "worker"}
    files = [running / name for name in BEFORE_A_SANDBOX]
    files += sorted((running / "hardening").glob("*.py"))
    files.append(ROOT / "starter" / "gametree" / "node.py")
    for path in files:
        foreign = {module.split(".")[0] for _, module in imports_of(path)}
        assert foreign - own <= set(sys.stdlib_module_names), path


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_module_is_over_200_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 200
