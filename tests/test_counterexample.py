"""The smallest tree on which a submission fails, and the sentence that explains it."""

from __future__ import annotations

import time
from functools import cache

import pytest
from helpers import ROOT, reference, task_of, tasks_of, trace_of, tree_of

from autograder.judging.counterexample import find_counterexample
from autograder.judging.parting import AGAIN, BEYOND, OTHER_ORDER, SAME_LEAVES, parting
from autograder.judging.verdict import judge
from autograder.running.ladder import Ladder, lone_children, rungs
from autograder.running.limits import Limits
from autograder.running.plan import Runs, run_tasks
from autograder.running.sandbox import Sandbox
from autograder.showing.counterexample_text import counterexample_line, counterexample_text
from autograder.showing.explanation import explain
from gametree import parse_tree

MISTAKES = ROOT / "solution" / "mistakes"
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


def found_for(sandbox, ladder, tasks, source):
    source = source if isinstance(source, bytes) else source.encode()
    runs = run_tasks(sandbox, source, tasks)
    verdicts = [judge(task, pair) for task, pair in zip(tasks, runs)]
    return find_counterexample(sandbox, source, ladder, verdicts)


@pytest.fixture(scope="module")
def found(sandbox, ladder, tasks):
    """Return the counterexample of a source, sought once."""
    return cache(lambda source: found_for(sandbox, ladder, tasks, source))


def changed(*pairs, function="alphabeta"):
    """Return the reference with (old, new) pairs replaced inside one function."""
    text = (ROOT / "solution" / "search.py").read_text()
    before, name, rest = text.partition(f"def {function}(")
    body, following, after = rest.partition("\ndef ")
    for old, new in pairs:
        assert old in body
        body = body.replace(old, new)
    return before + name + body + following + after


# -- the ladder ----------------------------------------------------------------------


def size(position):
    inner = [size(child) for child in position.children]
    leaves = sum(leaves for leaves, _ in inner) or 1
    return leaves, 1 + sum(nodes for _, nodes in inner)


def plain(tree):
    search = tree.searches[0]
    return search.full_window and "{" not in tree.name


def test_the_plain_trees_come_in_order_of_leaves_then_nodes():
    integers = [tree for tree in rungs() if plain(tree) and tree.name.isascii()]
    counting = [tree for tree in integers if set(tree.name) <= set("MAXIN [],123")]
    sizes = [size(tree.root) for tree in counting]
    assert sizes == sorted(sizes)
    assert sizes[-1][0] == 4


def test_no_tree_stands_on_the_ladder_twice_and_it_is_always_the_same():
    names = [tree.name for tree in rungs()]
    assert len(set(names)) == len(names) < 5000
    assert names == [tree.name for tree in rungs()]


def test_the_ladder_holds_both_roots_windows_depth_limits_and_special_values():
    names = {tree.name for tree in rungs()}
    for name in (
        "MAX 1",
        "MIN [1, [2, 1]]",
        "MAX [0]",
        "MIN [20001]",
        "MAX 0.25",
        "MAX [-1]",
        "MAX [1, [[[1, 1]]]]",
        "MIN [1, [[2, [1, 1]]]]",
        "MAX [{value: 1, children: [2]}] {depth: 1}",
        "MAX [1, 1] {depth: 1, alpha: 0.5, beta: 1}",
    ):
        assert name in names


def test_lone_children_are_counted():
    assert lone_children(()) == 0
    assert lone_children((((),),)) == 2
    assert lone_children(((), ((),))) == 1


def test_the_ladder_keeps_its_tasks_for_the_next_submission(ladder):
    first = next(ladder.tasks("alphabeta"))
    assert next(ladder.tasks("alphabeta")) is first
    assert first.function == "alphabeta"


# -- the search ----------------------------------------------------------------------


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
    assert counterexample_line(found((MISTAKES / f"{mistake}.py").read_bytes())) == tree


def test_a_right_submission_has_none_and_nothing_is_run(ladder, tasks):
    verdicts = [judge(task, Runs(task.expected)) for task in tasks]

    class Untouched:
        limits = None

        def __getattr__(self, name):
            raise AssertionError(f"{name} was used")

        def end_worker(self):
            pass

    sandbox = Untouched()
    sandbox.limits = Sandbox().limits
    assert find_counterexample(sandbox, b"", ladder, verdicts) is None


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
    text = (ROOT / "solution" / "correct" / "table_by_id.py").read_text()
    text = text.replace("alpha >= beta", "alpha > beta")
    assert counterexample_line(found(text)) == "alphabeta on MAX [1, [1, 1]]"


def test_state_kept_from_tree_to_tree_shows_on_the_tree_where_a_fresh_process_fails(found):
    counterexample = found((MISTAKES / "window_kept_in_globals.py").read_bytes())
    assert counterexample_line(counterexample) == "alphabeta on MAX [[1, 1]]"
    assert "A second search of the same tree went differently" in counterexample_text(
        counterexample
    )


def test_the_same_submission_gets_the_same_counterexample_again(sandbox, ladder, tasks):
    source = (MISTAKES / "cutoff_one_early.py").read_bytes()
    one, other = (found_for(sandbox, ladder, tasks, source) for _ in "12")
    assert one.tried == other.tried
    assert counterexample_text(one) == counterexample_text(other)


def test_the_sandbox_has_its_own_limits_back_afterwards(sandbox, found):
    before = sandbox.limits
    found((MISTAKES / "no_cutoff.py").read_bytes())
    assert sandbox.limits == before


# -- the text ------------------------------------------------------------------------


def explained(nested, source, function="alphabeta", root="max", searches=None):
    """Return the sentence for a trusted source on one tree."""
    task = task_of(nested, function, root, searches)
    trace = trace_of(source, task)
    return explain(judge(task, Runs(trace, trace)))


def test_a_cutoff_that_was_not_taken_is_explained_by_alpha_and_beta():
    source = changed(("alpha >= beta", "False"))
    tree = "{B: {b1: 3, b2: 12}, C: {c1: 2, c2: 4, c3: 6}}"
    assert explained(tree, source) == (
        "At C (MIN), after c1 = 2: alpha = 3, beta = 2, so c2 and c3 cannot matter; "
        "your search went on to c2."
    )


def test_a_child_that_was_left_out_is_explained_by_the_open_window():
    source = changed(("if alpha >= beta:  # cutoff", "if True:"))
    assert explained("[3, 5]", source) == (
        "At A (MAX), after a1 = 3: alpha = 3, beta = infinity, so a2 can matter; "
        "your search left it out."
    )


def test_a_subtree_that_was_left_out_is_named_as_a_whole():
    source = changed(("in node.children:", "in node.children[1:]:"))
    assert explained("[[1, 2], [3, 4]]", source).startswith("At A (MAX): alpha = -infinity")
    assert "so B can matter" in explained("[[1, 2], [3, 4]]", source)


def test_after_an_inner_child_the_sentence_tells_what_it_returned():
    source = changed(("alpha >= beta", "alpha > beta"))
    assert explained("[2, [[2], 5]]", source) == (
        "At B (MIN), after C returned 2: alpha = 2, beta = 2, so b2 cannot matter; "
        "your search went on to b2."
    )


def test_children_in_another_order_are_said_to_be():
    source = changed(("in node.children:", "in reversed(node.children):"))
    task = task_of("[1, [1, 1]]", "alphabeta")
    assert parting(task, trace_of(source, task)).kind == OTHER_ORDER
    assert "from left to right, so a1 comes before B" in explained("[1, [1, 1]]", source)


def test_an_inner_node_that_is_evaluated_is_named():
    source = changed(("if depth == 0", "node.evaluate()\n    if depth == 0"))
    task = task_of("[1, 2]", "alphabeta")
    assert parting(task, trace_of(source, task)).kind == BEYOND
    assert explained("[1, 2]", source).startswith("Your search evaluated A, but it has")


def test_a_leaf_below_the_depth_is_told_from_a_cutoff():
    source = changed(("depth - 1", "depth"))
    text = explained("[{value: 1, children: [2]}]", source, searches="[{depth: 1}]")
    assert text == "Your search evaluated b1, but this search of depth 1 ends above it."


def test_a_node_that_is_searched_again_is_named():
    twice = "alphabeta(child, depth - 1, alpha, beta, False)"
    source = changed((twice, f"max({twice}, {twice})"))
    task = task_of("[[1, 2], 3]", "alphabeta")
    assert parting(task, trace_of(source, task)).kind == AGAIN
    assert "came to B again" in explained("[[1], 3]", source) or "b1" in explained(
        "[[1], 3]", source
    )


def test_a_wrong_value_after_the_right_visits_is_explained_at_the_root():
    source = changed(("    return best", "    return best + 1"))
    task = task_of("[4, 7]", "alphabeta")
    assert parting(task, trace_of(source, task)).kind == SAME_LEAVES
    assert explained("[4, 7]", source) == (
        "Your search visits the right leaves. A (MAX) takes the largest of a1 = 4 and "
        "a2 = 7, which is 7; your search returned 8."
    )


def test_a_wrong_leaf_value_is_explained_at_the_leaf():
    source = changed(("return node.evaluate()", "return -node.evaluate()"))
    assert explained("5", source) == "A is a leaf: its value is 5; your search returned -5."


def test_minimax_that_leaves_out_a_leaf_is_told_that_each_can_matter():
    source = changed(("in node.children:", "in node.children[:1]:"), function="minimax")
    assert explained("[1, 2]", source, "minimax") == (
        "At A (MAX): minimax visits every leaf, since each can matter; "
        "your search left out a2."
    )


def test_minimax_may_go_from_right_to_left_and_is_told_of_its_value_only():
    source = changed(
        ("in node.children:", "in reversed(node.children):"),
        ("return best", "return best + 1"),
        function="minimax",
    )
    assert "Your search visits the right leaves." in explained("[1, 2]", source, "minimax")


def test_a_wrong_move_is_explained_by_what_the_moves_are_worth():
    source = changed(("max if maximizing else min", "min"), function="best_move")
    assert explained("[1, [4, 3]]", source, "best_move") == (
        "The moves are worth a1 = 1 and B = 3. A (MAX) takes the leftmost of the "
        "largest, B; your best_move chose a1."
    )


def test_a_search_that_visits_nothing_is_told_so():
    source = changed(("if depth == 0", "return 1\n    if depth == 0"))
    assert explained("[1, 1]", source).startswith("Your search visited no leaf at all")


def test_an_answer_of_a_wrong_type_is_named_before_the_leaves():
    source = changed(("return node.evaluate()", "return node.evaluate"))
    assert explained("1", source).startswith("Returned method, expected a number; ")
    source = changed(("    return best", "    pass"))
    assert explained("[1]", source) == "Returned None, expected a number."


def test_the_text_holds_the_tree_the_drawing_and_both_runs_in_80_columns(found):
    text = counterexample_text(found((MISTAKES / "alpha_is_best.py").read_bytes()))
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "right search: a1, c1, d1; returns 1" in text
    assert "your search:  a1, c1, d1, d2; returns 1" in text
    assert "MAX           c1       D" in text


@pytest.mark.parametrize(
    "mistake", ("given_window_ignored", "stack_keeps_depth", "no_cutoff")
)
def test_the_tree_in_the_text_can_be_put_into_a_tree_file(mistake, found):
    counterexample = found((MISTAKES / f"{mistake}.py").read_bytes())
    lines = counterexample_text(counterexample).splitlines()
    begin = lines.index(next(line for line in lines if line.startswith("    root:")))
    end = lines.index("", begin)
    tree = parse_tree("\n".join(line.strip() for line in lines[begin:end]) + "\n", "again")
    (search,) = tree.searches
    task = counterexample.verdict.task
    assert search.depth == task.search.depth
    assert (search.alpha, search.beta) == (task.search.alpha, task.search.beta)
    assert search.maximizing == task.search.maximizing
