"""Probes are small trees that reveal mistakes that public trees miss."""

from dataclasses import replace
from itertools import filterfalse, islice

import pytest
from drawn import RUBRIC
from helpers import ROOT, changed, reference, tasks_of, tree_of, variants_in

from autograder.explaining.library import (
    REFERENCE,
    Library,
    find_first_wrong,
    may_keep_state,
    run_variant,
)
from autograder.explaining.probes import MAX_PROBES, MAX_SHARE, choose_probes
from autograder.explaining.variants import load_variant
from autograder.grading import grade
from autograder.kit import Kit
from autograder.scoring.rubric import HIDDEN, LINE, VISIBLE
from autograder.scoring.tasks import tasks_for
from autograder.showing.summary import feedback_text
from gametree.support.judging import judge
from gametree.support.texts import sentence

SOLUTION = ROOT / "solution"
CORRECT = variants_in("correct")
TIE = tree_of("[1, [1, 1]]", name="tie")
LARGE = tree_of("[[70000, 60000], [90000, 80000]]", "min", name="large")


def wrong_tasks(variant, tasks):
    """Return the tasks that a variant gets wrong."""
    pairs = zip(tasks, run_variant(variant, tasks))
    return [task for task, trace in pairs if not judge(task, trace).is_right]


def queries_of(tasks):
    """Return the number of queries of the reference."""
    return sum(len(task.expected.events) for task in tasks)


# ---- the choice


def test_the_probes_are_few_and_cheap(kit):
    assert 0 < len(kit.probes) <= MAX_PROBES
    assert queries_of(kit.probes) <= MAX_SHARE * queries_of(kit.tasks)
    assert not any(task.is_hidden for task in kit.probes)


def find_missed_mistakes(library):
    """Yield (known mistake, function), if the function is correct on every public tree."""
    for variant in filterfalse(may_keep_state, library.variants):
        for function, found in library.signatures[variant.name].items():
            expected = library.signatures[REFERENCE][function]
            rows = zip(library.tasks_of(function), found, expected)
            public = [row == right for task, row, right in rows if not task.is_hidden]
            if all(public):
                yield variant, function


def test_known_mistakes_that_public_trees_miss_fail_a_probe(kit):
    missed = find_missed_mistakes(kit.library)
    for variant, function in islice(missed, 0, None, 4):
        probes = [task for task in kit.probes if task.function == function]
        if not wrong_tasks(variant, probes):
            small = kit.ladder.tasks(function)
            assert find_first_wrong(variant, small) == (0, None), variant.name


@pytest.mark.parametrize("variant", CORRECT, ids=lambda variant: variant.name)
def test_a_correct_program_passes_every_probe(kit, variant):
    assert wrong_tasks(variant, kit.probes) == []


def library_of(*names, trees=(TIE,)):
    """Return the Library of some known mistakes on public trees."""
    variants = [load_variant(SOLUTION / "mistakes" / f"{name}.py") for name in names]
    return Library(variants, tasks_of(*trees))


def test_a_mistake_that_no_public_tree_reveals_gets_the_first_probe(ladder):
    library = library_of("strict_cutoff", "values_truncated", trees=[TIE] * 20)
    first, *_ = choose_probes(library, ladder)
    truncated = library.variants[1]
    assert wrong_tasks(truncated, [first]) == [first]


def test_a_mistake_on_many_public_trees_or_with_state_needs_no_probe(ladder):
    library = library_of("no_cutoff", "table_by_name", trees=[TIE] * 6)
    assert choose_probes(library, ladder) == ()


def test_probes_make_few_queries_and_are_the_same_each_time(ladder):
    library = library_of("values_truncated", "infinity_is_9999", trees=[TIE] * 3)
    probes = choose_probes(library, ladder)
    assert 0 < queries_of(probes) <= MAX_SHARE * queries_of(library.tasks)
    assert probes == choose_probes(library, ladder)


def test_a_kit_without_a_cache_has_no_probes():
    assert kit_with([]).probes == ()


# ---- the feedback

STARTS_TOO_LOW = changed(("best = math.inf", "best = 20_000"))
PROBES = tasks_of(tree_of("[20003, 20001]", "min", name="probe"))


def kit_with(probes, visibility=VISIBLE, hidden=(LARGE,)):
    """Return a small kit with these probes."""
    tasks = tasks_of(TIE) + tasks_for(hidden, reference(), hidden=True)
    rubric = replace(RUBRIC, hints=LINE, visibility=visibility)
    kit = Kit(ROOT, rubric, (TIE,), tuple(hidden), tuple(tasks))
    kit.library = library_of("infinity_is_9999")
    if probes:
        kit.probes = probes
    return kit


@pytest.fixture(scope="module")
def grade_with(ladder):
    """Return a function: probes -> the Grading of a program that fails PROBES."""

    def grade_with(probes, **options):
        kit = kit_with(probes, **options)
        kit.ladder = ladder
        return grade(kit, STARTS_TOO_LOW.encode())

    return grade_with


@pytest.fixture(scope="module")
def failed(grade_with):
    """Return the Grading of a program that fails PROBES. Students see no hidden rows."""
    return grade_with(PROBES, visibility=HIDDEN)


def test_a_failed_probe_shows_the_search_the_line_and_the_command(failed):
    assert not failed.counterexample.late
    text = feedback_text(failed.student_view)
    line = STARTS_TOO_LOW.splitlines().index("        best = 20_000") + 1
    assert f"Look at line {line}" in text
    assert "best = 20_000" in text
    assert "search returned 20000." in text
    assert "{root: min, tree: [20001]}" in text


def test_a_probe_changes_no_points(failed, grade_with):
    without = grade_with([])
    assert without.counterexample.late
    assert [row.cents for row in failed.rows] == [row.cents for row in without.rows]


def test_a_failed_probe_is_shown_if_all_rows_are_right(grade_with):
    grading = grade_with(PROBES, hidden=())
    assert grading.cents == grading.max_cents
    assert not grading.flawless
    text = feedback_text(grading)
    assert "alphabeta fails on this tree" in text
    assert sentence("summary.all right") not in text
