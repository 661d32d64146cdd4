"""Each known mistake goes wrong where, and as, its docstring says."""

import contextlib
import difflib
import io
from collections import defaultdict
from pathlib import Path

import pytest

from autograder.mistakes.variants import load_variant, load_variants
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures, words

SOLUTION = Path(__file__).parent.parent / "solution"
MISTAKES = load_variants(SOLUTION / "mistakes")
FUNCTIONS = ("minimax", "alphabeta", "best_move")
RIGHT = [SOLUTION / "search.py", *(SOLUTION / "correct").glob("*.py")]
MOST_LINES = 26


def pool(convention):
    reference = load_variant(SOLUTION / "search.py", convention).module()
    trees = [*trees_up_to(2, height=1), *random_trees(60, seed=10)]
    return [tasks_for([tree], reference) for tree in trees]


@pytest.fixture(scope="module")
def equality():
    return pool("equality")


@pytest.fixture(scope="module")
def strict():
    return pool("strict")


def shown(variant, task_lists):
    """Return function -> the aspects in which the variant is seen to go wrong."""
    found = defaultdict(set)
    with contextlib.redirect_stdout(io.StringIO()):
        for tasks in task_lists:
            for verdict in failures(variant, tasks):
                found[verdict.task.function] |= words(verdict)
    return found


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda v: v.name)
def test_a_mistake_shows_in_the_functions_and_aspects_its_docstring_names(
    mistake, equality
):
    found = shown(mistake, equality)
    assert set(found) == set(mistake.shows), "Shows: names other functions"
    for function, aspects in mistake.shows.items():
        assert set(aspects) <= found[function]


def test_every_mistake_is_a_mistake_in_a_strict_course_too(strict):
    for mistake in load_variants(SOLUTION / "mistakes", "strict"):
        assert any(
            verdict for tasks in strict for verdict in silently(failures, mistake, tasks)
        ), mistake.name


def silently(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        return list(function(*arguments))


@pytest.mark.parametrize("convention", ("equality", "strict"))
def test_headlines_and_next_steps_are_short_and_unlike_one_another(convention):
    mistakes = load_variants(SOLUTION / "mistakes", convention)
    for text in ("headline", "next_step"):
        lines = [getattr(mistake, text) for mistake in mistakes]
        assert len(set(lines)) == len(lines)
        assert all(line.endswith(".") for line in lines)
    assert all(len(mistake.headline) < 80 for mistake in mistakes)
    assert all(len(mistake.next_step) <= 92 for mistake in mistakes)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda v: v.name)
def test_a_mistake_is_a_whole_submission_and_nearly_a_right_one(mistake):
    assert all(callable(getattr(mistake.module(), name)) for name in FUNCTIONS)
    assert min(changed_lines(mistake, path) for path in RIGHT) <= MOST_LINES


def changed_lines(mistake, path):
    """Return how many lines of code differ from the right submission at `path`."""
    lines = [body(text) for text in (path.read_text(), mistake.source)]
    diff = difflib.unified_diff(*lines, n=0, lineterm="")
    return sum(1 for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---"))


def body(source):
    """Return the lines of code below the module's docstring."""
    return [line for line in source.split('"""', 2)[2].splitlines() if line.strip()]


def test_the_corpus_covers_all_three_functions_and_other_shapes():
    concerned = {function for mistake in MISTAKES for function in mistake.shows}
    assert concerned == set(FUNCTIONS)
    assert len(MISTAKES) >= 80
    shapes = ("negamax", "max_function", "min_function", "stack", "index")
    assert sum(mistake.name.startswith(shapes) for mistake in MISTAKES) >= 8
