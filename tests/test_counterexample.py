"""The smallest tree on which a submission fails, as it is found and shown."""

from contextlib import nullcontext
from functools import cache

import pytest
from helpers import ROOT, changed, reference, tasks_of, tree_of

from autograder.counterexample import find_counterexample, kept_by
from autograder.mistakes.variants import load_variant
from autograder.sandbox import Limits, Sandbox, Session
from autograder.showing.sentences import deciding
from autograder.showing.summary import as_file, fails_on
from autograder.smalltrees.enumeration import Ladder
from gametree import parse_tree
from gametree.judging import judge

INNER = "{value: 1, children: [2]}"
# A few tasks, each of which some submission below fails.
TASKS = tasks_of(
    tree_of("[1, [1, 1]]"),
    tree_of("[1, [2, 1]]", "min"),
    tree_of("[1, [[[1, 1]]]]"),
    tree_of("[1, [[2, [1, 1]]]]", "min"),
    tree_of("[1, [2, 1]]"),
    tree_of("0.25"),
    tree_of("[0]"),
    tree_of("[-1]"),
    tree_of("[20000]", "min"),
    tree_of("[1, 1]", "max", "[{depth: 1, alpha: 0, beta: 1}]"),
    tree_of(f"[{INNER}]", "max", "[{depth: 1}]"),
    tree_of(f"[[{INNER}, {INNER}]]", "max", "[{depth: 2}]"),
)


def source_of(name, folder="mistakes"):
    return load_variant(ROOT / "solution" / folder / f"{name}.py").source


@pytest.fixture(scope="module")
def ladder():
    return Ladder(reference())


@pytest.fixture(scope="module")
def seek(ladder):
    """Return a function: a source text -> its counterexample."""
    with Sandbox(Limits(search_cpu_seconds=0.2)) as sandbox:

        def seek(source):
            session = Session(sandbox, source.encode())
            verdicts = [
                judge(task, trace) for task, trace in zip(TASKS, session.run(TASKS))
            ]
            return find_counterexample(
                session, ladder, verdicts, kept_by(session, verdicts)
            )

        yield seek


@pytest.fixture(scope="module")
def counterexample_of(seek):
    """Return `seek`, which seeks once for each source."""
    return cache(seek)


def place_of(counterexample):
    """Return the function and the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = counterexample.verdict.task
    return f"{task.function} on {task.tree.name}"


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
    ],
)
def test_the_smallest_tree_of(mistake, tree, counterexample_of):
    assert place_of(counterexample_of(source_of(mistake))) == tree


def test_a_right_submission_has_none_and_nothing_is_run(ladder):
    verdicts = [judge(task, task.expected) for task in TASKS]

    class Untouched:
        hidden_seen = False

        def limited(self, *_, **__):
            return nullcontext()

        def seconds_left(self):
            return 1.0

    assert find_counterexample(Untouched(), ladder, verdicts) is None


def test_a_function_that_is_not_written_has_none(counterexample_of):
    text = (ROOT / "starter" / "search.py").read_text(encoding="utf-8")
    assert counterexample_of(text) is None


STUB = "\n\ndef {}(*arguments):\n    {}\n"


@pytest.mark.parametrize(
    "source, function",
    [
        (
            changed(("-math.inf", "0"), ("math.inf", "0"), function="minimax")
            + STUB.format("alphabeta", "return 0"),
            "minimax",
        ),
        (
            changed(("alpha >= beta", "alpha > beta"))
            + STUB.format("minimax", "raise NotImplementedError"),
            "alphabeta",
        ),
    ],
    ids=["both wrong", "a stub and a wrong one"],
)
def test_the_first_wrong_function_that_is_written_is_shown(
    source, function, counterexample_of
):
    assert counterexample_of(source).verdict.task.function == function


@pytest.mark.parametrize(
    "change, tree, text",
    [
        (
            ("return node.evaluate()", "return node.evaluate() * (maximizing or -1)"),
            "alphabeta on MIN 1",
            "it passes the one smaller tree",
        ),
        (
            ("return node.evaluate()", "return {}[node.name]"),
            "alphabeta on MAX 1",
            "It raised KeyError: 'A' (search.py, line 24).",
        ),
        (
            ("if maximizing:", "while depth == 2: pass\n    if maximizing:"),
            "alphabeta on MAX [[1]]",
            "ran out of time",
        ),
    ],
    ids=["wrong", "raises", "never ends"],
)
def test_what_happened_there_is_told(change, tree, text, counterexample_of):
    counterexample = counterexample_of(changed(change))
    assert place_of(counterexample) == tree
    assert text in f"{fails_on(counterexample)}: {deciding(counterexample.verdict)}"


def test_an_honest_table_by_node_does_not_confuse_the_search(counterexample_of):
    text = source_of("table_by_id", "correct").replace("alpha >= beta", "alpha > beta")
    assert place_of(counterexample_of(text)) == "alphabeta on MAX [1, [1, 1]]"


@pytest.mark.parametrize("mistake", ["table_by_name", "window_kept_in_globals"])
def test_a_function_that_keeps_something_has_none(mistake, counterexample_of):
    assert counterexample_of(source_of(mistake)) is None


def test_the_same_submission_gets_the_same_counterexample_again(seek):
    one, other = (seek(source_of("cutoff_one_early")) for _ in range(2))
    assert one.tried == other.tried
    assert one.verdict.trace.events == other.verdict.trace.events


@pytest.mark.parametrize(
    "mistake", ("given_window_ignored", "stack_keeps_depth", "no_cutoff")
)
def test_the_tree_can_be_put_into_a_tree_file_as_one_line(mistake, counterexample_of):
    counterexample = counterexample_of(source_of(mistake))
    tree = parse_tree(as_file(counterexample.verdict.task) + "\n", "again")
    (search,) = tree.searches
    task = counterexample.verdict.task
    assert search.depth == task.search.depth
    assert (search.alpha, search.beta) == (task.search.alpha, task.search.beta)
    assert search.maximizing == task.search.maximizing
