"""Right submissions in other styles lose nothing; mistakes lose what they say."""

import difflib
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest

from autograder.judging import verdict as judging
from autograder.mistakes.library import STATE_SHOWS
from autograder.mistakes.variants import load_variant, load_variants, quietly
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures
from gametree.asked import ASKED
from gametree.functions import FUNCTIONS
from gametree.trace import OUT_OF_QUERIES

SOLUTION = Path(__file__).parent.parent / "solution"
MOST_LINES = 26
CORRECT, STRICT_CORRECT = (
    load_variants(SOLUTION / "correct", convention) for convention in ("equality", "strict")
)
FAIL_HARD = sorted({v.name for v in CORRECT} - {v.name for v in STRICT_CORRECT})
MISTAKES = load_variants(SOLUTION / "mistakes")
REFERENCE = load_variant(SOLUTION / "search.py")
STRICT_REFERENCE = load_variant(SOLUTION / "search.py", "strict")

# The words of a `Shows:` line.
WORDS = {
    judging.WRONG_VALUE: "value",
    judging.UNPROVEN: "unproven",
    judging.WRONG_TYPE: "type",
    judging.WRONG_MOVE: "move",
    judging.NEEDLESS: "extra",
    judging.NOT_A_LEAF: "no-leaf",
    judging.MISSED: "missing",
    judging.TOO_FEW: "too-few",
    judging.WRONG_COUNT: "nodes",
    judging.LOOKED_BEYOND: "nodes",
}

each_mistake = pytest.mark.parametrize("mistake", MISTAKES, ids=lambda v: v.name)


def tasks_of_each(trees, reference=REFERENCE, functions=ASKED):
    """Return one list of tasks for each tree."""
    module = reference.module()
    return [tasks_for([tree], module, functions) for tree in trees]


@pytest.fixture(scope="module")
def exhaustive():
    return tasks_of_each(trees_up_to(3, height=2, special_leaves=1))


@pytest.fixture(scope="module")
def at_random():
    return tasks_of_each(random_trees(1_000, seed=2024))


@pytest.fixture(scope="module")
def strict():
    return tasks_of_each(random_trees(60, seed=2025), STRICT_REFERENCE)


@pytest.fixture(scope="module")
def revealing():
    trees = [*trees_up_to(2, height=1), *random_trees(100, seed=11)]
    return [list(chain.from_iterable(tasks_of_each(trees)))]  # one after the other


def wrong(variant, task_lists):
    """Yield the variant's verdicts that are not right."""
    with quietly():
        for tasks in task_lists:
            yield from failures(variant, tasks)


def is_right(variant, task_lists):
    """Fail with the first task that goes wrong, or return True."""
    for verdict in wrong(variant, task_lists):
        task = verdict.task
        pytest.fail(f"{task.function} {task.search} {task.tree.title} {verdict.findings}")
    return True


def words(verdict):
    """Return, in the words of a `Shows:` line, what is wrong."""
    if not verdict.judged:
        endless = verdict.trace.ending.kind == OUT_OF_QUERIES
        return {"endless" if endless else "raised"}
    return {WORDS[finding.kind] for finding in verdict.findings}


def test_there_are_many_styles_mistakes_and_shapes_of_mistakes():
    assert len({variant.headline for variant in CORRECT}) == len(CORRECT) >= 24
    assert len(MISTAKES) >= 80
    assert {name for mistake in MISTAKES for name in mistake.shows} == set(FUNCTIONS)
    shapes = ("negamax", "max_function", "min_function", "stack", "index")
    assert sum(mistake.name.startswith(shapes) for mistake in MISTAKES) >= 8


@pytest.mark.parametrize("variant", [REFERENCE, *CORRECT], ids=lambda v: v.name)
def test_a_right_style_is_right_on_every_small_tree(variant, exhaustive):
    assert is_right(variant, exhaustive)


@pytest.mark.parametrize("number", range(len(CORRECT)))
def test_a_right_style_is_right_on_random_trees(number, at_random):
    """Every style runs on its own 200 of 1,000 trees; the long check runs them all."""
    assert is_right(CORRECT[number], at_random[number % 5 :: 5])


@pytest.mark.parametrize(
    "variant", [STRICT_REFERENCE, *STRICT_CORRECT], ids=lambda v: v.name
)
def test_a_right_style_is_right_in_a_strict_course(variant, strict):
    assert is_right(variant, strict)


@pytest.mark.parametrize("name", FAIL_HARD)
def test_a_style_left_out_of_strict_courses_is_wrong_there(name, strict):
    variant = load_variant(SOLUTION / "correct" / f"{name}.py", "strict")
    assert any(wrong(variant, strict))


@each_mistake
def test_a_mistake_shows_in_the_functions_and_aspects_its_docstring_names(
    mistake, revealing
):
    shown = defaultdict(set)
    for verdict in wrong(mistake, revealing):
        shown[verdict.task.function] |= words(verdict)
    assert set(shown) == set(mistake.shows), "Shows: names other functions"
    for function, aspects in mistake.shows.items():
        assert set(aspects) - {STATE_SHOWS} <= shown[function]


@pytest.mark.parametrize(
    "mistake", load_variants(SOLUTION / "mistakes", "strict"), ids=lambda v: v.name
)
def test_every_mistake_is_a_mistake_in_a_strict_course_too(mistake, strict):
    assert any(wrong(mistake, strict))


@pytest.mark.parametrize("convention", ("equality", "strict"))
def test_headlines_and_next_steps_are_short_and_unlike_one_another(convention):
    mistakes = load_variants(SOLUTION / "mistakes", convention)
    for text, most in (("headline", 79), ("next_step", 92)):
        lines = {m.path: getattr(m, text) for m in mistakes}.values()  # one of a family
        assert len(set(lines)) == len(lines)
        assert all(line.endswith(".") and len(line) <= most for line in lines)


@each_mistake
def test_a_mistake_is_a_whole_submission_and_nearly_a_right_one(mistake):
    assert all(callable(getattr(mistake.module(), name)) for name in FUNCTIONS)
    rights = (REFERENCE, *CORRECT)
    assert any(changed_lines(mistake, right) <= MOST_LINES for right in rights)


def changed_lines(mistake, right):
    """Return how many lines of code differ from a right submission."""
    lines = [body(variant.source) for variant in (right, mistake)]
    diff = difflib.unified_diff(*lines, n=0, lineterm="")
    return sum(1 for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---"))


def body(source):
    """Return the lines of code below the module's docstring."""
    return [line for line in source.split('"""', 2)[2].splitlines() if line.strip()]
