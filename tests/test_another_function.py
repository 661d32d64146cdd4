"""docs/another-function.md adds a fourth function to the kit, as a reader would."""

import json
import re

import pytest
from helpers import PYTHON, change_file, kit_text, run_command
from kitcopy import copy_small_kit

from gametree.functions import FUNCTIONS

PAGE = kit_text("docs/another-function.md")
CHANGES = re.findall(r"^```diff (\S+)\n(.*?)^```\n", PAGE, re.DOTALL | re.MULTILINE)
(MISTAKE,) = re.findall(r"^```python\n(.*?)^```\n", PAGE, re.DOTALL | re.MULTILINE)
MAX_FILES = 8  # outside solution/ and tests/
TREES = ("03-aima-figure-5-2.yaml", "08-depth-limit.yaml")
pytestmark = pytest.mark.skipif(
    len(FUNCTIONS) > 3, reason="this kit has a function of its own"
)


def follow_page(kit):
    """Make each change of the page in a copy of the kit."""
    for name, block in CHANGES:
        lines = block.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] == " ")
        after = "".join(line[1:] for line in lines)
        change_file(kit / name, (before, after))


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """Return a copy of the kit with the page's function, its mistake and few trees."""
    trees = {}
    for name in TREES:
        text = kit_text(f"trees/public/{name}")
        trees[f"public/{name}"] = text
        trees[f"hidden/hidden-{name}"] = text.replace("title: ", "title: Hidden, ")
    copy = copy_small_kit(tmp_path_factory.mktemp("fourth"), trees, mistakes=())
    follow_page(copy)
    (copy / "solution" / "mistakes" / "expectimax_smallest.py").write_text(MISTAKE)
    return copy


def grade(kit, source):
    """Grade a program with the copy of the kit; return its results.json."""
    path = kit / "submitted.py"
    path.write_text(source)
    command = [PYTHON, "-m", "autograder.grade", path, "--out", kit / "out"]
    assert run_command(command, kit).returncode == 0
    return json.loads((kit / "out" / "results.json").read_text())


def problems_of_reference(kit, source):
    """Return what make check says of the copy's reference if this is its text."""
    path = kit / "solution" / "search.py"
    before = path.read_text()
    path.write_text(source)
    program = (
        "from autograder.kit.loading import load_kit\n"
        "from autograder.workbench.check import reference_problems\n"
        "print(*reference_problems(load_kit().tasks), sep='\\n')"
    )
    try:
        return run_command([PYTHON, "-c", program], kit).stdout
    finally:
        path.write_text(before)


def with_average(kit, average):
    """Return the reference of the copy with another expression of the average."""
    source = (kit / "solution" / "search.py").read_text()
    assert source.count("sum(values) / len(values)") == 1
    return source.replace("sum(values) / len(values)", average)


def test_a_function_takes_few_files():
    names = {name for name, _ in CHANGES if not name.startswith("solution/")}
    assert len(names | {"SECURITY.md"}) <= MAX_FILES


def test_a_correct_program_that_rounds_differently_gets_full_marks(kit):
    right = with_average(kit, "sum(value / len(values) for value in values)")
    results = grade(kit, right)
    assert results["score"] == 120
    assert "expectimax 20/20" in results["output"]


def test_the_reference_of_the_page_is_accepted_by_the_judge_at_home(kit):
    source = (kit / "solution" / "search.py").read_text()
    assert problems_of_reference(kit, source) == "\n"


def test_make_check_refuses_a_reference_that_the_judge_at_home_refuses(kit):
    line = problems_of_reference(kit, with_average(kit, "sum(values) / 2"))
    assert line == (
        "expectimax on 03-aima-figure-5-2 (depth 2, MAX moves first): returned 11.5, "
        "expected 7.666666666666667; values are in MAX's sense, whoever moves; fix "
        "solution/search.py, or the record in starter/gametree/functions.py\n"
    )


def test_a_wrong_program_is_explained_at_a_node_of_the_opponent(kit):
    results = grade(kit, with_average(kit, "min(values)"))
    assert results["score"] < 110
    assert "returns the smallest value at CHANCE nodes" in results["output"]
    assert "(CHANCE) takes the average of" in results["output"]
