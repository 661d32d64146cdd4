"""Right submissions in other styles lose nothing; mistakes lose what they say."""

import difflib
import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, ROOT, definitions

from autograder.kit import prepare, stage_submission
from autograder.mistakes.derived import without_window
from autograder.mistakes.library import STATE_SHOWS
from autograder.mistakes.overlay import overlay
from autograder.mistakes.variants import load_variant, load_variants, quietly
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures
from gametree.functions import FUNCTIONS
from gametree.support import judging
from gametree.support.trace import OUT_OF_QUERIES

SOLUTION = ROOT / "solution"
REFERENCE_TEXT = REFERENCE_SOURCE.decode()
MAX_LINES = 26
CORRECT, STRICT_CORRECT, MISTAKES, STRICT_MISTAKES = (
    load_variants(SOLUTION / folder, convention)
    for folder in ("correct", "mistakes")
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
    judging.UNNECESSARY: "extra",
    judging.NOT_A_LEAF: "no-leaf",
    judging.MISSED: "missing",
    judging.TOO_FEW: "too-few",
    judging.WRONG_COUNT: "nodes",
    judging.LOOKED_BEYOND: "nodes",
}


def tasks_of(trees, reference=REFERENCE, functions=tuple(FUNCTIONS)):
    return tasks_for(trees, reference.module(), functions)


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


def test_every_right_style_is_right_on_one_in_ten_small_trees():
    tasks = tasks_of(islice(small_trees(), 0, None, 10))
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
    trees = [*islice(small_trees(), 0, None, 25), *random_trees(100, seed=11)]
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
        assert any(changed(own, right) <= MAX_LINES for right in rights), mistake.name


def changed(one, other):
    """Return how many lines of code differ."""
    diff = difflib.unified_diff(one, other, n=0, lineterm="")
    return sum(1 for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---"))


def body(source):
    """Return the lines of code below the module's docstring."""
    return [line for line in source.split('"""', 2)[2].splitlines() if line.strip()]


# ---- a file of solution/ defines only what differs; the kit makes it whole

MINE = '"""Mine."""\n\n\ndef alphabeta():\n    pass\n'
HEAD = '"""Mine."""\n'
BASE = '"""Base."""\nimport math\nA = 1\ndef one(): ...\ndef two(): ...\n'


@cache
def definitions_of(style):
    """Return the definitions of a right style, or of the reference."""
    path = SOLUTION / (f"correct/{style}.py" if style else "search.py")
    return definitions(load_variant(path).source)


def test_no_file_repeats_a_definition_of_its_base():
    repeated = []
    for path in SOLUTION.glob("*/*.py"):
        text = path.read_text()
        changes = re.search(r"^Changes: (\w+)$", text, re.MULTILINE)
        own, base = definitions(text), definitions_of(changes and changes[1])
        repeated += [(path.stem, name) for name in own if base.get(name) == own[name]]
    assert repeated == []


OVERLAID = {
    "": "A = 1\ndef one(): ...\ndef two(): ...\n",
    "def two(): my\n": "A = 1\ndef one(): ...\ndef two(): my\n",
    "A = 2\n": "A = 2\ndef one(): ...\ndef two(): ...\n",
    "def two(): my\ndef one(): my\n": "A = 1\ndef one(): my\ndef two(): my\n",
    "# b\n@c\ndef two(): d #\n": "A = 1\ndef one(): ...\n# b\n@c\ndef two(): d #\n",
    "B = 2\none = 3\nC = 4\n": "A = 1\nB = 2\none = 3\nC = 4\ndef two(): ...\n",
    "one = two = A\n": "A = 1\none = two = A\n",
    "B = 2\n": "A = 1\ndef one(): ...\ndef two(): ...\nB = 2\n",
}


def test_what_a_file_defines_takes_the_place_of_the_bases():
    for own, expected in OVERLAID.items():
        assert overlay(HEAD + own, BASE) == f"{HEAD}\nimport math\n{expected}"
    own = "from __future__ import division\nimport cmath\nimport math\nfrom os import x\n"
    assert overlay(HEAD + own, BASE).startswith(f"{HEAD}\n{own}A = 1\n")


def test_a_file_of_the_kit_is_taken_whole_and_a_students_or_what_is_no_python_as_it_is(
    tmp_path,
):
    path = SOLUTION / "mistakes" / "no_cutoff.py"
    assert stage_submission(path, "equality").decode() == load_variant(path).source
    path = tmp_path / "solution" / "search.py"
    path.parent.mkdir()
    for text, kit in ((MINE, ROOT), ("def alphabeta(:\n", tmp_path)):
        path.write_text(text)
        assert stage_submission(path, "strict", kit) == text.encode()


# ---- a mistake of alphabeta is known in minimax too, made of the same text


@pytest.fixture(scope="module")
def derived():
    """Every mistake that has no file of its own, by name."""
    variants = prepare().library.variants
    stems = {Path(variant.path).stem for variant in variants}
    return {v.name: v for v in variants if v.name[:8] == "minimax_" and v.name not in stems}


def test_helpers_lose_their_windows_too_and_what_needs_one_gives_no_minimax():
    for style in ("negamax", "max_and_min_functions", "index_loop"):
        turned = without_window(load_variant(SOLUTION / "correct" / f"{style}.py").source)
        assert turned and not re.search(r"\b(alpha|beta)\b", turned)
    for name in ("returns_alpha", "stack_keeps_player"):
        mistake = load_variant(SOLUTION / "mistakes" / f"{name}.py")
        assert without_window(mistake.source) == ""


def test_a_mistake_about_cutoffs_is_none_of_minimax(derived):
    about_windows = {"minimax_strict_cutoff", "minimax_no_cutoff", "minimax_alpha_is_best"}
    assert not about_windows & set(derived)
    assert {"minimax_infinity_is_9999", "minimax_player_toggled_in_loop"} <= set(derived)


def test_each_is_wrong_in_minimax_alone_and_says_nothing_of_windows(derived):
    tasks = tasks_of(random_trees(60, seed=11), functions=("minimax", "alphabeta"))
    for mistake in derived.values():
        assert not re.search(r"alpha|beta|cutoff", mistake.headline + mistake.next_step)
        functions = {verdict.task.function for verdict in wrong(mistake, tasks)}
        assert functions == {"minimax"}, mistake.name
