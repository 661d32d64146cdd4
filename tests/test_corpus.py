"""Right submissions in other styles lose nothing; mistakes lose what they say."""

import difflib
import random
import re
from functools import cache
from itertools import chain, islice
from pathlib import Path

import pytest
from helpers import ROOT, cases, definitions, variants_in

from autograder.kit import stage_submission
from autograder.mistakes.derived import IN_MINIMAX, without_window
from autograder.mistakes.library import STATE_SHOWS
from autograder.mistakes.variants import (
    base_path,
    load_variant,
    overlay,
    quietly,
    read_header,
)
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import FAMILIES, family_trees, random_trees
from autograder.tasks import CONVENTIONS, tasks_for
from autograder.workbench.killmatrix import failures
from gametree.functions import FUNCTIONS
from gametree.support import judging
from gametree.support.trace import OUT_OF_QUERIES

SOLUTION = ROOT / "solution"
MAX_LINES = 26  # that differ from the nearest right program
MAX_HEADLINE = 79
MAX_NEXT_STEP = 92
CORRECT = variants_in("correct")
STRICT_CORRECT = variants_in("correct", "strict")
MISTAKES = variants_in("mistakes")
REFERENCE = load_variant(SOLUTION / "search.py")
STRICT_REFERENCE = load_variant(SOLUTION / "search.py", "strict")
FILES = sorted(SOLUTION.glob("*/*.py"))

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


def wrong(variant, tasks):
    """Yield the variant's verdicts that are not right."""
    with quietly():
        yield from failures(variant, tasks)


def words_of(verdict):
    """Return, in the words of a `Shows:` line, what is wrong."""
    if verdict.has_returned:
        return {WORDS[finding.kind] for finding in verdict.findings}
    if verdict.trace.ending.kind == OUT_OF_QUERIES:
        return {"endless"}
    return {"raised"}


def test_there_are_many_styles_mistakes_and_shapes_of_mistakes():
    headlines = {variant.headline for variant in CORRECT}
    assert len(headlines) == len(CORRECT) >= 24
    assert len(MISTAKES) >= 80
    concerned = set(chain.from_iterable(mistake.shows for mistake in MISTAKES))
    assert concerned == set(FUNCTIONS)
    shapes = ("negamax", "max_function", "min_function", "stack", "index")
    shaped = [mistake for mistake in MISTAKES if mistake.name.startswith(shapes)]
    assert len(shaped) >= 8


def first_faults(variants, tasks):
    """Return name -> the first wrong verdict of each variant that is not right."""
    faults = {}
    for variant in variants:
        for verdict in islice(wrong(variant, tasks), 1):
            faults[variant.name] = verdict
    return faults


def test_every_right_style_is_right_on_small_and_on_random_trees():
    trees = [*islice(small_trees(), 0, None, 40), *random_trees(60, seed=2024)]
    assert first_faults([REFERENCE, *CORRECT], tasks_of(trees)) == {}


def test_in_a_strict_course_the_styles_for_it_are_right_and_the_others_wrong():
    tasks = tasks_of(random_trees(60, seed=2025), STRICT_REFERENCE)
    assert first_faults([STRICT_REFERENCE, *STRICT_CORRECT], tasks) == {}
    names = {variant.name for variant in STRICT_CORRECT}
    left_out = [variant.path for variant in CORRECT if variant.name not in names]
    others = [load_variant(path, "strict") for path in left_out]
    assert first_faults(others, tasks).keys() == {variant.name for variant in others}


@cache
def mixed_tasks():
    """Return function -> its tasks of small, random and special trees."""
    trees = [*islice(small_trees(), 0, None, 50), *random_trees(100, seed=11)]
    trees += family_trees(random.Random(12), 5 * FAMILIES)
    return {function: tasks_of(trees, functions=[function]) for function in FUNCTIONS}


def first_words(variant, function, sought):
    """Return what is wrong with a function on the first trees that show what is sought."""
    words = set()
    for verdict in wrong(variant, mixed_tasks()[function]):
        words |= words_of(verdict)
        if sought <= words:
            break
    return words


@pytest.mark.parametrize("variant", MISTAKES, ids=lambda variant: variant.name)
def test_a_mistake_shows_in_the_functions_and_aspects_its_docstring_names(variant):
    for function, words in variant.shows.items():
        named = set(words) - {STATE_SHOWS}
        shown = first_words(variant, function, named)
        assert shown and named <= shown, function
    for function in set(FUNCTIONS).difference(variant.shows):
        some = mixed_tasks()[function][:400:16]
        assert not any(wrong(variant, some)), function


TEXTS = {"headline": MAX_HEADLINE, "next_step": MAX_NEXT_STEP}


@pytest.mark.parametrize("course", [(), ("strict",)], ids=CONVENTIONS)
@pytest.mark.parametrize("text", TEXTS)
def test_headlines_and_next_steps_are_short_and_unlike_one_another(course, text):
    mistakes = variants_in("mistakes", *course)
    by_file = {mistake.path: getattr(mistake, text) for mistake in mistakes}
    lines = by_file.values()
    assert len(set(lines)) == len(lines)
    assert [line for line in lines if not line.endswith(".")] == []
    assert [line for line in lines if len(line) > TEXTS[text]] == []


def code_lines(source):
    """Return the lines of code below the module's docstring."""
    code = source.split('"""', 2)[2]
    return [line for line in code.splitlines() if line.strip()]


RIGHT_LINES = [code_lines(variant.source) for variant in (REFERENCE, *CORRECT)]


def count_changed(lines, others):
    """Return how many lines of code differ."""
    diff = difflib.unified_diff(lines, others, n=0, lineterm="")
    changed = [line for line in diff if line[0] in "+-"]
    return len([line for line in changed if line[:3] not in ("+++", "---")])


def test_a_mistake_is_a_whole_submission_and_nearly_a_right_one():
    for mistake in MISTAKES:
        if "def wrong_" in mistake.source:
            continue
        module = mistake.module()
        assert all(callable(getattr(module, name)) for name in FUNCTIONS), mistake.name
        lines = code_lines(mistake.source)
        near = (count_changed(lines, right) <= MAX_LINES for right in RIGHT_LINES)
        assert any(near), mistake.name


# ---- a file of solution/ defines only what differs; the kit completes it

HEAD = '"""Mine."""\n'
BASE = '"""Base."""\nimport math\nA = 1\ndef one(): ...\ndef two(): ...\n'


@cache
def definitions_of(style):
    """Return the definitions of a right style, or of the reference."""
    path = base_path(style, SOLUTION) if style else SOLUTION / "search.py"
    return definitions(load_variant(path).source)


def test_no_file_repeats_a_definition_of_its_base():
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        (style,) = read_header(text).fields.get("Changes", [None])
        base = definitions_of(style)
        own = definitions(text)
        assert [name for name in own if own[name] == base.get(name)] == [], path.name


@pytest.mark.parametrize("own, complete", cases("overlaid files"))
def test_what_a_file_defines_takes_the_place_of_the_base_s(own, complete):
    assert overlay(HEAD + own, BASE) == f"{HEAD}\nimport math\n{complete}"


def test_the_imports_are_those_of_both():
    own = "from __future__ import division\nimport cmath\nimport math\nfrom os import x\n"
    assert overlay(HEAD + own, BASE).startswith(f"{HEAD}\n{own}A = 1\n")


def test_a_file_of_the_kit_is_staged_complete():
    path = SOLUTION / "mistakes" / "no_cutoff.py"
    staged = stage_submission(path, "equality").decode()
    assert staged == load_variant(path).source


def test_a_file_of_the_kit_that_is_not_python_is_staged_as_it_is(tmp_path):
    path = tmp_path / "solution" / "search.py"
    path.parent.mkdir()
    path.write_text("def alphabeta(:\n")
    assert stage_submission(path, "strict", tmp_path) == b"def alphabeta(:\n"


# ---- a mistake of alphabeta is known in minimax too, made of the same text


@pytest.fixture(scope="module")
def derived(kit):
    """Every mistake that has no file of its own, by name."""
    variants = kit.library.variants
    stems = {Path(variant.path).stem for variant in variants}
    own = [variant for variant in variants if variant.name not in stems]
    return {v.name: v for v in own if v.name.startswith(IN_MINIMAX)}


@pytest.mark.parametrize("style", ["negamax", "max_and_min_functions", "index_loop"])
def test_helpers_lose_their_windows_too(style):
    variant = load_variant(SOLUTION / "correct" / f"{style}.py")
    turned = without_window(variant.source)
    assert turned
    assert not re.search(r"\b(alpha|beta)\b", turned)


@pytest.mark.parametrize("name", ["returns_alpha", "stack_keeps_player"])
def test_what_needs_a_window_gives_no_minimax(name):
    variant = load_variant(SOLUTION / "mistakes" / f"{name}.py")
    assert without_window(variant.source) == ""


def test_a_mistake_about_cutoffs_is_none_of_minimax(derived):
    about_windows = {"minimax_strict_cutoff", "minimax_no_cutoff", "minimax_alpha_is_best"}
    assert about_windows.isdisjoint(derived)
    assert {"minimax_infinity_is_9999", "minimax_player_toggled_in_loop"} <= set(derived)


def test_a_file_says_that_nothing_is_derived_of_it(derived):
    variant = load_variant(SOLUTION / "mistakes" / "cutoff_returns_own_bound.py")
    assert without_window(variant.source)
    assert not variant.derives_minimax
    assert "minimax_cutoff_returns_own_bound" not in derived


def test_derived_mistakes_say_nothing_of_windows(derived):
    words = re.compile("alpha|beta|cutoff|window|prune|bound")
    for name, mistake in derived.items():
        assert not words.search(f"{mistake.headline} {mistake.next_step}".lower()), name


def test_derived_mistakes_are_wrong_in_minimax_alone(derived):
    right = definitions(REFERENCE.source)
    tasks = mixed_tasks()["minimax"]
    for name, mistake in derived.items():
        own = definitions(mistake.source)
        assert own["alphabeta"] == right["alphabeta"], name
        assert any(wrong(mistake, tasks)), name
