"""In a strict course, the kit reads its own files with other comparisons at cutoffs."""

import re

import pytest
from helpers import ROOT, cases, check_words, small_kit, trees_in, variant
from kitcopy import run_public_tests, unpack_starter

from autograder.explaining.variants import (
    EQUALITY,
    MARK,
    STRICT,
    apply_convention,
)
from autograder.grading import grade
from autograder.showing.summary import feedback_text
from gametree import load_trees

SOLUTION = ROOT / "solution"
REFERENCE = SOLUTION / "search.py"
PRUNES_TIES = "mistakes/strict_cutoff_at_min"
SOURCES = {path: path.read_text() for path in SOLUTION.rglob("*.py")}


@cases("lines of a strict course")
def test_strict_exchanges_only_comparisons_on_marked_lines(line, in_strict_course):
    assert apply_convention(line, STRICT) == in_strict_course
    assert apply_convention(line, EQUALITY) is line


def test_every_comparison_of_alpha_with_beta_is_marked():
    comparison = re.compile(r"\b(alpha|lower)\b *(>=|>|<=|<) *\b(beta|upper)\b(?! -)")
    for path, source in SOURCES.items():
        code = source.split('"""', 2)[2].splitlines()
        lines = [line for line in code if comparison.search(line.split("#")[0])]
        unmarked = [line for line in lines if not line.endswith(MARK)]
        assert [line for line in unmarked if " or alpha < beta" not in line] == [], path


def test_every_marked_line_contains_one_comparison():
    for path, source in SOURCES.items():
        lines = re.findall(f"(.*){MARK}$", source, re.MULTILINE)
        comparisons = [len(re.findall("[<>]=?|==", line)) for line in lines]
        assert set(comparisons) <= {1}, path


def test_a_header_contains_headline_next_step_and_findings():
    mistake = variant(PRUNES_TIES)
    strict = variant(PRUNES_TIES, STRICT)
    assert mistake.headline.startswith("stops at MIN nodes only when alpha > beta")
    assert mistake.next_step.startswith("Compare your two cutoff tests")
    assert mistake.shows == {"alphabeta": ("extra",)}
    assert strict.headline.startswith("stops when alpha equals beta at MIN nodes")
    assert "if alpha >= beta:  # cutoff" in strict.source


@pytest.fixture(scope="module")
def strict_kit():
    """Return a strict course with two hidden trees and one known mistake, which is fast."""
    hidden = tuple(trees_in("hidden")[:2])
    mistakes = [variant(PRUNES_TIES, STRICT)]
    return small_kit(tuple(trees_in("public")), hidden, mistakes, cutoff=STRICT)


def test_the_reference_has_full_marks_in_a_strict_course(strict_kit):
    grading = grade(strict_kit, variant("search", STRICT).source.encode())
    assert grading.score.is_right


def test_feedback_explains_a_search_that_prunes_ties_in_a_strict_course(
    strict_kit, short_ladder
):
    mistake = variant(PRUNES_TIES, STRICT)
    text = feedback_text(grade(strict_kit, mistake.source.encode()))
    said = (
        f"Your alphabeta {mistake.headline}",
        " > 44 if alpha >= beta:  # cutoff",
        "{root: max, tree: [1, [1, 1]]}",
        "alpha should be 1 and beta 1, so b2 must be searched",
    )
    check_words(text, said)


@pytest.fixture(scope="module")
def starter(strict_kit, tmp_path_factory):
    """Return the folder of the starter for a strict course."""
    return unpack_starter(strict_kit, tmp_path_factory.mktemp("starter"))


def test_the_starter_explains_strict_cutoffs(starter):
    stubs = (starter / "search.py").read_text()
    assert "only when alpha > beta" in stubs
    practice = (starter / "practice.html").read_text()
    assert 'cutoff: "strict"' in practice
    trees = load_trees(starter / "trees")
    assert [tree.name for tree in trees if any(tree.published.values())] == []


def test_the_tests_of_the_starter_refuse_cutoffs_on_equality(starter):
    source = REFERENCE.read_text()
    assert "did not visit b2" in run_public_tests(starter, source, "-x", "-k", "alphabeta")
