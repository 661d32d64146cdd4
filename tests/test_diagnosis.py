"""Known mistakes are named from traces alone, whatever the style of the code."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from helpers import ROOT

from autograder.judging.diagnosis import diagnose, wrong_and_written
from autograder.judging.signature import right_signature, signature
from autograder.judging.verdict import judge
from autograder.kit import load_kit
from autograder.running.library import Library, run_variant
from autograder.running.plan import Runs
from autograder.running.variants import Variant, load_variant, load_variants
from autograder.showing.diagnosis_text import diagnosis_text, headline, next_step
from gametree.trace import NOT_RUN, RAISED, TIMED_OUT, Answer, Ending, Trace

STUB = "def {}(*arguments):\n    raise NotImplementedError\n"


@pytest.fixture(scope="module")
def kit():
    return load_kit()


@pytest.fixture(scope="module")
def quick(kit):
    """The tasks of the trees that are quickly searched, and a library of them."""
    trees = [list(tasks) for _, tasks in groupby(kit.tasks, lambda task: task.tree.name)]
    cheap = [t for t in trees if sum(len(task.expected.events) for task in t) < 60]
    tasks = [task for tasks in cheap for task in tasks]
    plain = (ROOT / "solution" / "search.py").read_text()
    return Library(kit.library.variants, tasks, signature, plain)


@pytest.fixture(scope="module")
def of_mistakes(quick):
    """What is diagnosed of each known mistake, by name."""
    return {mistake.name: diagnosed(quick, mistake) for mistake in quick.variants}


def variant_of(source, name="submission"):
    return Variant(name, ROOT / "search.py", "", "", (), {}, source)


def runs_of(library, variant):
    runs = []
    twice = not variant.shows or any("second" in a for a in variant.shows.values())
    for _, tasks in groupby(library.tasks, key=lambda task: task.tree.name):
        runs += run_variant(variant, list(tasks), twice, most_looks=3000)
    return runs


def diagnosed(library, source):
    """Return the Diagnoses of a source text or a Variant."""
    variant = source if isinstance(source, Variant) else variant_of(source)
    runs = runs_of(library, variant)
    return diagnose(library, runs, verdicts_of(library, runs))


def verdicts_of(library, runs):
    return [judge(task, pair) for task, pair in zip(library.tasks, runs)]


def names(diagnosis):
    return [variant.name for variant in diagnosis.variants]


def correct(name):
    return (ROOT / "solution" / "correct" / f"{name}.py").read_text()


def reference():
    return (ROOT / "solution" / "search.py").read_text()


def only_in(function, old, new, source=None):
    """Return the source with `old` replaced by `new` inside one function."""
    before, name, rest = (source or reference()).partition(f"def {function}(")
    body, following, after = rest.partition("\ndef ")
    assert old in body
    return before + name + body.replace(old, new) + following + after


def test_every_known_mistake_is_named_or_one_of_those_that_behave_just_alike(of_mistakes):
    for mistake, diagnoses in of_mistakes.items():
        exact = [name for found in diagnoses if found.exact for name in names(found)]
        assert mistake in exact


@pytest.mark.parametrize(
    "path", sorted((ROOT / "solution" / "correct").glob("*.py")), ids=lambda p: p.stem
)
def test_a_right_submission_has_no_diagnosis(path, quick):
    assert diagnosed(quick, load_variant(path)) == ()


STYLES = (
    "negamax", "negamax_colour", "max_and_min_functions", "explicit_stack", "generators",
    "class_behind_functions", "one_loop_with_a_sign", "closures", "aima_order", "reduce",
)  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_a_strict_cutoff_is_named_in_any_style(style, quick):
    path = ROOT / "solution" / "correct" / f"{style}.py"
    (found,) = diagnosed(quick, load_variant(path, "strict"))
    assert found.exact and names(found)[0] == "strict_cutoff"


@pytest.mark.parametrize("style", ("fail_hard", "max_and_min_functions", "index_loop"))
def test_a_depth_that_is_not_decreased_is_named_in_any_style(style, quick):
    source = correct(style).replace("depth - 1", "depth")
    found = {d.functions: d for d in diagnosed(quick, source) if "alphabeta" in d.functions}
    (functions,) = found
    assert functions[:2] == ("minimax", "alphabeta")
    assert "depth_not_decreased" in names(found[functions])


def test_the_same_mistake_in_two_functions_is_said_once(quick):
    source = re.sub(r"-?math\.inf", "0", reference())
    (found,) = diagnosed(quick, source)
    assert found.functions == ("minimax", "alphabeta")
    assert names(found) == ["best_starts_at_zero"]
    assert diagnosis_text([found]).startswith("minimax and alphabeta: You start")


def test_different_mistakes_in_two_functions_are_both_named(quick):
    source = only_in("minimax", "-math.inf", "0")
    source = only_in("minimax", "math.inf", "0", source)
    source = only_in("alphabeta", "alpha >= beta", "alpha > beta", source)
    found = diagnosed(quick, source)
    assert [(d.functions[0], names(d)[0]) for d in found] == [
        ("minimax", "minimax_best_starts_at_zero"),
        ("alphabeta", "strict_cutoff"),
    ]


def test_two_mistakes_at_once_are_offered_as_the_closest(quick):
    source = only_in("alphabeta", "alpha >= beta", "alpha > beta")
    source = only_in(
        "alphabeta", "return node.evaluate()", "return int(node.evaluate())", source
    )
    (found,) = diagnosed(quick, source)
    assert not found.exact
    assert names(found) == ["strict_cutoff", "values_truncated"]
    text = diagnosis_text([found])
    assert "no single known mistake" in text and "closest" in text
    assert headline([found]).startswith("Closest to: ")


def test_where_nothing_is_near_nothing_is_said(quick):
    source = only_in(
        "alphabeta",
        "return node.evaluate()",
        "return hash((node.evaluate(), 7)) % 1000 + len(node.name)",
    )
    assert diagnosed(quick, source) == ()
    assert (headline(()), next_step(()), diagnosis_text(())) == ("", "", "")


ERRORS = (
    ("return node.evaluate()", "return node.value"),  # before the first leaf
    ("for child in node.children", "for child in node.kids"),
    ("alpha >= beta", "alpha >= bta"),  # after the first leaf
    ("return best", "return bset"),
    ("break", "return max(best)"),  # the TypeError that a forgotten return gives, too
)


@pytest.mark.parametrize("old, new", ERRORS, ids=[new for _, new in ERRORS])
def test_an_error_is_not_taken_for_a_mistake_that_raises_as_early(old, new, quick):
    assert diagnosed(quick, only_in("alphabeta", old, new)) == ()


def test_a_function_that_is_not_written_has_no_diagnosis(quick):
    before, _, _ = reference().partition("def alphabeta")
    assert (
        diagnosed(quick, before + STUB.format("alphabeta") + STUB.format("best_move")) == ()
    )


def test_best_move_is_not_guessed_at_while_what_it_rests_on_is_wrong(quick):
    source = only_in("minimax", "-math.inf", "-1")
    found = diagnosed(quick, source)
    assert all(d.exact for d in found if d.functions == ("best_move",))


def test_causes_that_cannot_be_told_apart_share_one_sentence(quick):
    (found,) = diagnosed(quick, only_in("alphabeta", "break", "pass"))
    assert found.exact and len(found.variants) > 3
    text = diagnosis_text([found])
    assert text.startswith("Your alphabeta never prunes: it visits every leaf")
    assert text.count("\n- ") <= 7 and text.count("Next step: ") == 1


def test_each_diagnosis_accuses_nobody_and_ends_with_one_next_step(of_mistakes):
    for diagnoses in of_mistakes.values():
        text = diagnosis_text(diagnoses[:1])
        assert text.count("Next step: ") == 1
        assert all(len(line) <= 80 for line in text.splitlines())
        assert not re.search(r"\b(stupid|cheat|copied|forgot)", text.lower())


def test_a_strict_course_names_the_mistakes_of_its_own_convention():
    mistakes = load_variants(ROOT / "solution" / "mistakes", "strict")
    tie = next(v for v in mistakes if v.name == "strict_cutoff")
    assert "already" in tie.headline and "alpha > beta" not in tie.headline
    bounds = next(v for v in mistakes if v.name == "fail_hard_in_a_strict_course")
    assert "if alpha > beta:" in bounds.source and "cutoffs are lost" in bounds.headline
    everyday = {v.name for v in load_variants(ROOT / "solution" / "mistakes")}
    assert bounds.name not in everyday


# -- signatures ----------------------------------------------------------------------


def first_task(quick, function, **wanted):
    return next(
        task
        for task in quick.tasks
        if task.function == function
        and all(getattr(task.search, key) == value for key, value in wanted.items())
    )


def test_a_leaf_that_is_asked_twice_in_a_row_counts_once(quick):
    twice = "(node.evaluate(), node.evaluate())[0]"
    source = only_in("alphabeta", "node.evaluate()", twice)
    runs = runs_of(quick, variant_of(source))
    for task, pair in zip(quick.tasks, runs):
        assert signature(task, pair) == right_signature(task)


def test_fail_soft_and_fail_hard_look_alike_from_narrow_windows(quick):
    runs = runs_of(quick, variant_of(correct("fail_hard")))
    narrow = 0
    for task, pair in zip(quick.tasks, runs):
        narrow += not task.search.full_window
        assert signature(task, pair) == right_signature(task)
    assert narrow > 3


def test_the_order_of_leaves_matters_in_alphabeta_only(quick):
    source = reference().replace("in node.children:", "in reversed(node.children):")
    runs = runs_of(quick, variant_of(source))
    seen = {"minimax": set(), "alphabeta": set()}
    for task, pair in zip(quick.tasks, runs):
        if task.function in seen:
            seen[task.function].add(signature(task, pair) == right_signature(task))
    assert seen == {"minimax": {True}, "alphabeta": {True, False}}


def test_what_was_not_run_is_unknown_and_what_ran_on_is_endless(quick):
    task = first_task(quick, "alphabeta")

    def ended(kind):
        return signature(
            task, Runs(Trace("alphabeta", task.search, [], Answer(), Ending(kind)))
        )

    assert ended(NOT_RUN) is None
    assert ended(TIMED_OUT) == "endless"
    assert ended(RAISED) != ended(TIMED_OUT)


def test_an_exact_match_needs_most_searches_to_have_run(quick):
    mistake = next(v for v in quick.variants if v.name == "no_cutoff")
    runs = runs_of(quick, mistake)
    nothing = Ending(NOT_RUN, message="the time is used up")
    own = [n for n, task in enumerate(quick.tasks) if task.function == "alphabeta"]
    for number in own[4:]:
        search = quick.tasks[number].search
        runs[number] = Runs(Trace("alphabeta", search, [], Answer(), nothing))
    verdicts = verdicts_of(quick, runs)
    assert wrong_and_written("alphabeta", verdicts)
    assert diagnose(quick, runs, verdicts) == ()


def test_a_right_submission_costs_the_library_nothing(kit, quick):
    fresh = Library(quick.variants, quick.tasks, lambda *_: pytest.fail("was run"))
    runs = runs_of(quick, load_variant(ROOT / "solution" / "search.py"))
    assert diagnose(fresh, runs, verdicts_of(quick, runs)) == ()


def test_a_known_mistake_is_run_once_for_each_tree(quick):
    asked = []
    fresh = Library(quick.variants, quick.tasks, lambda task, runs: asked.append(task))
    block = fresh.blocks("alphabeta")[0]
    fresh.kept(fresh.variants[0], block)
    fresh.kept(fresh.variants[0], block)
    assert len(asked) == len(block)


def test_what_a_known_mistake_prints_is_dropped(quick, capsys):
    mistake = next(v for v in quick.variants if v.name == "prints_instead_of_returning")
    runs_of(quick, mistake)
    assert capsys.readouterr().out == ""
