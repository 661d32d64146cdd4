"""The smallest tree on which a submission fails, as it is found and shown."""

from dataclasses import replace
from functools import cache

import pytest
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of

from autograder.counterexample import find_counterexample, find_state_leaks
from autograder.mistakes.variants import load_variant
from autograder.sandbox import Limits, Sandbox, Session
from autograder.showing.sentences import deciding
from autograder.showing.summary import as_file, fails_on
from autograder.smalltrees.enumeration import Ladder, small_trees
from gametree import parse_tree
from gametree.support.judging import judge

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
            verdicts = list(map(judge, TASKS, session.run(TASKS)))
            kept = find_state_leaks(session, verdicts)
            found = find_counterexample(session, ladder, verdicts, kept)
            assert found.state_leak is None
            return found.counterexample

        yield cache(seek)


def place_of(counterexample):
    """Return the function and the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = counterexample.verdict.task
    return f"{task.function} on {task.tree.name}"


SMALLEST = {
    "no_cutoff": "alphabeta on MAX [1, [1, 1]]",
    "keeps_last_score": "alphabeta on MIN [1, 2]",
    "best_starts_at_zero_at_max": "alphabeta on MAX [-1]",
    "zero_replaced_by_infinity": "alphabeta on MAX [0]",
    "infinity_is_9999": "alphabeta on MIN [20001]",
    "values_truncated": "alphabeta on MAX 0.25",
    "given_window_ignored": "alphabeta on MAX [1, 1] {depth: 1, alpha: 0.5, beta: 1}",
    "depth_not_decreased": "alphabeta on MAX [{value: 1, children: [2]}] {depth: 1}",
    "parents_bound_only": "alphabeta on MAX [1, [[[1, 1]]]]",
    "alpha_is_best": "alphabeta on MIN [1, [[2, [1, 1]]]]",
    "minimax_best_starts_at_zero": "minimax on MIN [1]",
    "move_shares_alpha_and_keeps_ties": "best_move on MAX [1, 1]",
}


def test_the_smallest_tree_of_each(seek):
    found = {name: place_of(seek(source_of(name))) for name in SMALLEST}
    assert found == SMALLEST


def test_what_is_not_written_or_keeps_something_has_none(seek):
    stubs = (ROOT / "starter" / "search.py").read_text(encoding="utf-8")
    kept = map(source_of, ("table_by_name", "window_kept_in_globals"))
    right = REFERENCE_SOURCE.decode()
    assert [seek(text) for text in (stubs, right, *kept)] == [None] * 4


STUB = "\n\ndef {}(*arguments):\n    {}\n"
STRICT = changed(("alpha >= beta", "alpha > beta"))
LOOK = "return node.evaluate()"
HAPPENED = (  # a program, its smallest tree, and what is said of it
    (  # where both are wrong, minimax is first
        changed(("-math.inf", "0"), ("math.inf", "0"), function="minimax")
        + STUB.format("alphabeta", "return 0"),
        "minimax on MIN [1]",
        "fails on this tree",
    ),
    (
        STRICT + STUB.format("minimax", "raise NotImplementedError"),
        "alphabeta on MAX [1, [1, 1]]",
        "so b2 cannot matter",
    ),
    (
        changed((LOOK, "return node.evaluate() * (maximizing or -1)")),
        "alphabeta on MIN 1",
        "it passes the one smaller tree",
    ),
    (
        changed((LOOK, "return {}[node.name]")),
        "alphabeta on MAX 1",
        "It raised KeyError: 'A' (search.py, line 24).",
    ),
    (
        changed(("if maximizing:", "while depth == 2: pass\n    if maximizing:")),
        "alphabeta on MAX [[1]]",
        "ran out of time",
    ),
    (  # what is kept by node is no state
        source_of("table_by_id", "correct").replace("alpha >= beta", "alpha > beta"),
        "alphabeta on MAX [1, [1, 1]]",
        "so b2 cannot matter",
    ),
)


def test_the_first_wrong_function_is_shown_with_what_happened(seek):
    for source, place, text in HAPPENED:
        found = seek(source)
        assert place_of(found) == place, text
        assert text in f"{fails_on(found)}: {deciding(found.verdict)}"


def test_the_tree_can_be_put_into_a_tree_file_as_one_line(seek):
    for mistake in ("given_window_ignored", "stack_keeps_depth", "no_cutoff"):
        task = seek(source_of(mistake)).verdict.task
        (search,) = parse_tree(as_file(task) + "\n", "again").searches
        assert search == replace(task.search, published=search.published)


# The ladder of small trees.


def size(position):
    nodes = list(position.subtree())
    return sum(node.terminal for node in nodes), len(nodes)


def test_plain_trees_come_in_order_of_size_none_twice_and_always_the_same():
    trees = list(small_trees())
    names = [tree.name for tree in trees]
    assert len(set(names)) == len(names) < 5000
    assert names == [tree.name for tree in small_trees()]
    plain = [tree for tree in trees if set(tree.name) <= set("MAXIN [],123")]
    sizes = [size(tree.root) for tree in plain]
    assert sizes == sorted(sizes) and sizes[-1][0] == 4
    wanted = {
        *("MAX 1", "MIN [1, [2, 1]]", "MAX [0]", "MIN [20001]", "MAX 0.25", "MAX [-1]"),
        *("MAX [1, [[[1, 1]]]]", "MIN [1, [[2, [1, 1]]]]", "MAX [1, 1, 1]"),
        "MAX [{value: 1, children: [2]}] {depth: 1}",
        "MAX [1, 1] {depth: 1, alpha: 0.5, beta: 1}",
        *("MIN [1, 2] {depth: 1, alpha: 1}", "MAX [1, 2] {depth: 1, beta: 2}"),
    }
    assert wanted - {*names} == set()


def test_the_ladder_keeps_its_tasks_for_the_next_submission(ladder):
    first = next(ladder.tasks("alphabeta"))
    assert next(ladder.tasks("alphabeta")) is first and first.function == "alphabeta"
