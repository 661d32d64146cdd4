"""Right submissions in other styles lose nothing; mistakes lose what they say."""

import difflib
from itertools import islice
from pathlib import Path

import pytest

from autograder.mistakes.library import STATE_SHOWS
from autograder.mistakes.variants import load_variant, load_variants, quietly
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.families import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures
from gametree import judging
from gametree.functions import FUNCTIONS
from gametree.trace import OUT_OF_QUERIES

SOLUTION = Path(__file__).parent.parent / "solution"
MOST_LINES = 26
CORRECT, STRICT_CORRECT = (
    load_variants(SOLUTION / "correct", convention) for convention in ("equality", "strict")
)
MISTAKES, STRICT_MISTAKES = (
    load_variants(SOLUTION / "mistakes", convention)
    for convention in ("equality", "strict")
)
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


def tasks_of(trees, reference=REFERENCE):
    return tasks_for(trees, reference.module())


@pytest.fixture(scope="module")
def strict():
    return tasks_of(random_trees(60, seed=2025), STRICT_REFERENCE)


def wrong(variant, tasks):
    """Yield the variant's verdicts that are not right."""
    with quietly():
        yield from failures(variant, tasks)


def first_wrong(variants, tasks_for_number):
    """Return a line for each variant that is wrong, of its first such task."""
    return [
        f"{variant.name}: {verdict.task.function} {verdict.task.search} "
        f"{verdict.task.tree.title} {verdict.findings}"
        for number, variant in enumerate(variants)
        for verdict in islice(wrong(variant, tasks_for_number(number)), 1)
    ]


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


def test_every_right_style_is_right_on_every_small_tree():
    tasks = tasks_of(trees_up_to(3, height=2, special_leaves=1))
    assert first_wrong([REFERENCE, *CORRECT], lambda number: tasks) == []


def test_every_right_style_is_right_on_its_own_200_of_1000_random_trees():
    trees = list(random_trees(1_000, seed=2024))
    fifths = [tasks_of(trees[number::5]) for number in range(5)]
    assert first_wrong(CORRECT, lambda number: fifths[number % 5]) == []


def test_in_a_strict_course_others_are_right_and_those_left_out_are_wrong(strict):
    assert first_wrong([STRICT_REFERENCE, *STRICT_CORRECT], lambda number: strict) == []
    left_out = {variant.name for variant in CORRECT} - {v.name for v in STRICT_CORRECT}
    for name in left_out:
        variant = load_variant(SOLUTION / "correct" / f"{name}.py", "strict")
        assert any(wrong(variant, strict)), name


def test_a_mistake_shows_in_the_functions_and_aspects_its_docstring_names():
    trees = [*trees_up_to(2, height=1), *random_trees(100, seed=11)]
    tasks = tasks_of(trees[:-60]), tasks_of(trees[-60:])
    for mistake in MISTAKES:
        named = {(f, word) for f, own in mistake.shows.items() for word in own}
        named = {each for each in named if each[1] != STATE_SHOWS}
        shown = set()
        for some in tasks:  # the others only where the first do not show all
            if not named <= shown:
                for verdict in wrong(mistake, some):
                    shown |= {(verdict.task.function, word) for word in words(verdict)}
        assert named <= shown, mistake.name
        functions = {function for function, _ in shown}
        assert functions == set(mistake.shows), f"{mistake.name} names other functions"


def test_every_mistake_is_a_mistake_in_a_strict_course_too(strict):
    assert [m.name for m in STRICT_MISTAKES if not any(wrong(m, strict))] == []


def test_headlines_and_next_steps_are_short_and_unlike_one_another():
    for mistakes in (MISTAKES, STRICT_MISTAKES):
        for text, most in (("headline", 79), ("next_step", 92)):
            lines = {m.path: getattr(m, text) for m in mistakes}.values()  # one of a family
            assert len(set(lines)) == len(lines)
            assert all(line.endswith(".") and len(line) <= most for line in lines)


def test_a_mistake_is_a_whole_submission_and_nearly_a_right_one():
    rights = [body(variant.source) for variant in (REFERENCE, *CORRECT)]
    for mistake in MISTAKES:
        module, own = mistake.module(), body(mistake.source)
        assert all(callable(getattr(module, name)) for name in FUNCTIONS)
        assert any(changed(own, right) <= MOST_LINES for right in rights), mistake.name


def changed(one, other):
    """Return how many lines of code differ."""
    diff = difflib.unified_diff(one, other, n=0, lineterm="")
    return sum(1 for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---"))


def body(source):
    """Return the lines of code below the module's docstring."""
    return [line for line in source.split('"""', 2)[2].splitlines() if line.strip()]
