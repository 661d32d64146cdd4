"""The smallest tree on which a submission fails, as it is found and shown."""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import cache

import pytest
from helpers import ROOT, changed, reference, tasks_of, tree_of

from autograder.counterexample import find_counterexample
from autograder.judging.verdict import judge
from autograder.mistakes.variants import load_variant
from autograder.sandbox import Limits, Sandbox, run_tasks
from autograder.showing.summary import counterexample_line, counterexample_text
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import RunPair
from gametree import parse_tree

INNER = "{value: 1, children: [2]}"
NARROW = "[{depth: 1, alpha: 0, beta: 1}]"


@pytest.fixture(scope="module")
def ladder():
    return Ladder(reference())


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(Limits(search_cpu_seconds=0.2)) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def tasks():
    """A few tasks, each of which some submission below fails."""
    asked = [
        ("[1, [1, 1]]", "max", None),
        ("[1, [2, 1]]", "min", None),
        ("[1, [[[1, 1]]]]", "max", None),
        ("[1, [[2, [1, 1]]]]", "min", None),
        ("[1, [2, 1]]", "max", None),
        ("0.25", "max", None),
        ("[0]", "max", None),
        ("[-1]", "max", None),
        ("[20000]", "min", None),
        ("[1, 1]", "max", NARROW),
        ("[{value: 1, children: [2]}]", "max", "[{depth: 1}]"),
        (f"[[{INNER}, {INNER}]]", "max", "[{depth: 2}]"),
    ]
    trees = [
        tree_of(nested, root, searches, name=f"tree {number}")
        for number, (nested, root, searches) in enumerate(asked)
    ]
    return tasks_of(*trees)


def source_of(name, folder="mistakes"):
    return load_variant(ROOT / "solution" / folder / f"{name}.py").source.encode()


def found_for(sandbox, ladder, tasks, source):
    source = source if isinstance(source, bytes) else source.encode()
    runs = run_tasks(sandbox, source, tasks)
    verdicts = [judge(task, pair) for task, pair in zip(tasks, runs)]
    return find_counterexample(sandbox, source, ladder, verdicts)


@pytest.fixture(scope="module")
def found(sandbox, ladder, tasks):
    """Return the counterexample of a source, sought once."""
    return cache(lambda source: found_for(sandbox, ladder, tasks, source))


@pytest.mark.parametrize(
    "mistake, tree",
    [
        ("no_cutoff", "alphabeta on MAX [1, [1, 1]]"),
        ("keeps_last_score", "alphabeta on MIN [1, 2]"),
        ("best_starts_at_zero_at_max", "alphabeta on MAX [-1]"),
        ("zero_replaced_by_infinity", "alphabeta on MAX [0]"),
        ("infinity_is_9999", "alphabeta on MIN [20001]"),
        ("values_truncated", "alphabeta on MAX 0.25"),
        ("given_window_ignored", "alphabeta on MAX [1, 1] {depth: 1, alpha: 0.5, beta: 1}"),
        ("depth_not_decreased", "alphabeta on MAX [{value: 1, children: [2]}] {depth: 1}"),
        ("parents_bound_only", "alphabeta on MAX [1, [[[1, 1]]]]"),
        ("alpha_is_best", "alphabeta on MIN [1, [[2, [1, 1]]]]"),
        ("minimax_best_starts_at_zero", "minimax on MIN [1]"),
        ("move_shares_alpha_and_keeps_ties", "best_move on MAX [1, 1]"),
        ("table_by_name", "alphabeta on MAX 1"),
    ],
)
def test_the_smallest_tree_of(mistake, tree, found):
    assert counterexample_line(found(source_of(mistake))) == tree


def test_a_right_submission_has_none_and_nothing_is_run(ladder, tasks):
    verdicts = [judge(task, RunPair(task.expected)) for task in tasks]

    class Untouched:
        limited = nullcontext

    assert find_counterexample(Untouched(), b"", ladder, verdicts) is None


def test_a_function_that_is_not_written_has_none(found):
    text = (ROOT / "starter" / "search.py").read_bytes()
    assert found(text) is None


def test_the_first_wrong_function_is_shown(found):
    source = changed(("-math.inf", "0"), ("math.inf", "0"), function="minimax")
    source += "\n\ndef alphabeta(*arguments):\n    return 0\n"
    assert found(source).verdict.task.function == "minimax"


def test_a_stub_is_passed_over_for_the_next_function(found):
    source = changed(("alpha >= beta", "alpha > beta"))
    source += "\n\ndef minimax(*arguments):\n    raise NotImplementedError\n"
    assert found(source).verdict.task.function == "alphabeta"


def test_one_tree_before_it_is_no_plural(found):
    source = changed(
        ("return node.evaluate()", "return node.evaluate() * (maximizing or -1)")
    )
    text = " ".join(counterexample_text(found(source)).split())
    assert "it is right on the one tree that was tried before it." in text


def test_what_raises_is_shown_with_its_own_words(found):
    source = changed(("return node.evaluate()", "return {}[node.name]"))
    text = counterexample_text(found(source))
    assert "tree: 1\n" in text
    assert "It raised KeyError: 'A' (search.py, line 24)." in text


def test_what_never_ends_is_ended_and_is_the_counterexample(found):
    source = changed(("if maximizing:", "while depth == 2: pass\n    if maximizing:"))
    started = time.process_time()
    counterexample = found(source)
    assert counterexample_line(counterexample) == "alphabeta on MAX [[1]]"
    assert "ran out of time" in counterexample_text(counterexample)
    assert time.process_time() - started < 5


def test_an_honest_table_by_node_does_not_confuse_the_search(found):
    text = source_of("table_by_id", "correct").decode()
    text = text.replace("alpha >= beta", "alpha > beta")
    assert counterexample_line(found(text)) == "alphabeta on MAX [1, [1, 1]]"


def test_state_kept_from_tree_to_tree_shows_on_the_tree_where_a_fresh_process_fails(found):
    counterexample = found(source_of("window_kept_in_globals"))
    assert counterexample_line(counterexample) == "alphabeta on MAX [[1, 1]]"
    assert "A second search of the same tree went differently" in counterexample_text(
        counterexample
    )


def test_the_same_submission_gets_the_same_counterexample_again(sandbox, ladder, tasks):
    source = source_of("cutoff_one_early")
    one, other = (found_for(sandbox, ladder, tasks, source) for _ in "12")
    assert one.tried == other.tried
    assert counterexample_text(one) == counterexample_text(other)


def test_the_text_holds_the_tree_the_drawing_and_both_runs_in_80_columns(found):
    text = counterexample_text(found(source_of("alpha_is_best")))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "right search: a1, c1, d1; returns 1" in text
    assert "your search:  a1, c1, d1, d2; returns 1" in text
    assert "MAX           c1       D" in text


@pytest.mark.parametrize(
    "mistake", ("given_window_ignored", "stack_keeps_depth", "no_cutoff")
)
def test_the_tree_in_the_text_can_be_put_into_a_tree_file(mistake, found):
    counterexample = found(source_of(mistake))
    lines = counterexample_text(counterexample).splitlines()
    begin = lines.index(next(line for line in lines if line.startswith("    root:")))
    end = lines.index("", begin)
    tree = parse_tree("\n".join(line.strip() for line in lines[begin:end]) + "\n", "again")
    (search,) = tree.searches
    task = counterexample.verdict.task
    assert search.depth == task.search.depth
    assert (search.alpha, search.beta) == (task.search.alpha, task.search.beta)
    assert search.maximizing == task.search.maximizing
