"""The road of a grading: what is run in which process, what decides, what may be shown."""

from collections import Counter
from dataclasses import fields, is_dataclass, replace

import pytest
from drawn import RUBRIC, textbook
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading import grade
from autograder.judging.verdict import judge
from autograder.kit import Kit
from autograder.mistakes.library import Library
from autograder.mistakes.variants import load_variant
from autograder.mistakes.witnesses import choose_witnesses, first_calls_shown
from autograder.results import results_of
from autograder.sandbox import Sandbox, Session
from autograder.sandbox.session import out_of_time
from autograder.tasks import Another, Task, coarse, tasks_for
from gametree.proof import proves_value
from gametree.trace import Answer, Ending, Trace
from gametree.tree import Search

RIGHT = REFERENCE_SOURCE.decode()
TIE = tree_of("[1, [1, 1]]", name="tie")
SMALL = tree_of("[[3, 5], [7, 2]]", "min", name="small")
WINDOW = tree_of("[[7, 6, 9], [5, 1]]", name="window", searches="[{}, {alpha: 2, beta: 5}]")
DEEP = tree_of("[[2, [5, 1]], [[0, 7], 3], [2, 2]]", "min", name="deep")
VAST = tree_of("[[31337, 5], [-31338, 9], [31339, 1]]", name="vast")
PUBLIC, HIDDEN = (TIE, SMALL), (textbook(), WINDOW, DEEP, VAST)
MISTAKES = tuple(
    load_variant(ROOT / "solution" / "mistakes" / f"{name}.py")
    for name in (
        *("strict_cutoff", "alpha_never_updated", "best_starts_at_zero", "table_by_name"),
        *("window_kept_in_globals", "given_window_ignored", "best_move_ignores_the_player"),
        *("nodes_searched_twice", "no_cutoff_at_min"),
    )
    if (ROOT / "solution" / "mistakes" / f"{name}.py").exists()
)


@pytest.fixture(scope="module")
def kit():
    tasks = tasks_of(*PUBLIC) + tasks_for(HIDDEN, reference(), hidden=True)
    kit = Kit(ROOT, RUBRIC, PUBLIC, HIDDEN, tuple(tasks))
    library = Library(MISTAKES, kit.tasks, plain=RIGHT)
    vars(kit).update(library=library, witnesses=choose_witnesses(kit.tasks, MISTAKES))
    return kit


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(RUBRIC.limits) as sandbox:
        yield sandbox


@pytest.fixture
def graded(kit, sandbox):
    """Return a function: a source text -> its Grading."""
    return lambda source, **how: grade(kit, source.encode(), sandbox, **how)


@pytest.fixture
def seen(monkeypatch):
    """Return the list of ("worker",) and (tree, function, search) as they come."""
    seen = []
    start, search = Sandbox.start_worker, Sandbox.search

    def start_and_note(self, *arguments):
        seen.append("worker")
        return start(self, *arguments)

    def search_and_note(self, task, *answers):
        seen.append(task)
        return search(self, task, *answers)

    monkeypatch.setattr(Sandbox, "start_worker", start_and_note)
    monkeypatch.setattr(Sandbox, "search", search_and_note)
    return seen


class TestWhatIsRun:
    def test_of_a_right_submission_once_together_and_twice_on_the_witnesses(
        self, kit, graded, seen
    ):
        assert graded(RIGHT).cents == 10_000
        assert 0 < len(kit.witnesses) < len(PUBLIC + HIDDEN)
        times = Counter(id(task) for task in seen if task != "worker")
        assert times == {
            id(task): 3 if task.tree.name in kit.witnesses else 1 for task in kit.tasks
        }
        assert seen.count("worker") == 2 + len(kit.witnesses)

    def test_nothing_else_in_the_process_of_a_public_tree_that_is_shown(self, graded, seen):
        graded(changed(("alpha >= beta", "alpha > beta")))
        after = seen[seen.index("worker", 1) :]
        first = [task.tree.name for task in after[1 : after.index("worker", 1)]]
        assert set(first) == {"tie"} and len(first) == 2 * 3

    def test_public_trees_and_the_smallest_tree_before_the_first_hidden_one(
        self, graded, seen
    ):
        grading = graded(changed(("alpha >= beta", "alpha > beta")))
        assert grading.counterexample.verdict.trace.text is not None
        tasks = [task for task in seen if task != "worker"]
        first_hidden = next(n for n, task in enumerate(tasks) if task.hidden)
        assert all(task.hidden for task in tasks[first_hidden:])
        ladder = [task for task in tasks if task.tree.name.startswith(("MAX", "MIN"))]
        assert ladder

    def test_the_smallest_tree_last_where_all_public_ones_are_right(self, graded, seen):
        grading = graded(ONLY_HIDDEN)
        assert grading.counterexample is not None
        assert not [task for task in seen if task != "worker"][-1].hidden

    def test_a_public_tree_by_itself_where_it_prints(self, graded, seen):
        printing = "print('here')\n    if depth"
        grading = graded(RIGHT.replace("if depth", printing))
        assert grading.cents == 10_000
        texts = [trace.text for trace in grading.traces if trace.text]
        assert len(texts) == 3 * len(PUBLIC) and all(text.printed for text in texts)

    def test_a_hidden_tree_in_two_processes_in_opposite_orders(self, kit, graded, seen):
        graded(ONLY_HIDDEN)
        runs = [[]]
        for task in seen:
            if task == "worker":
                runs.append([])
            elif task.hidden:
                runs[-1].append(task)
        hidden = [task for task in kit.tasks if task.hidden]
        assert hidden in runs and hidden[::-1] in runs


# Right on the public trees, wrong where a leaf is larger than 5; it tells all that it sees.
ONLY_HIDDEN = f"""
{RIGHT}
right, seen = minimax, []


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        value = node.evaluate()
        seen.append(value)
        return value
    values = [minimax(child, depth - 1, not maximizing) for child in node.children]
    if len(values) == 1 or max(map(abs, values)) > 7:
        print("canary", seen)
        if max(map(abs, values)) < 20:
            return 31337.5
        raise ValueError(f"canary {{seen}}")
    return max(values) if maximizing else min(values)
"""


def leaves_of(part):
    """Yield all strings and numbers that an object holds, however deep."""
    if is_dataclass(part) and not isinstance(part, (Task, type)):
        for field in fields(part):
            yield from leaves_of(getattr(part, field.name))
    elif isinstance(part, (tuple, list, frozenset)):
        for each in part:
            yield from leaves_of(each)
    elif isinstance(part, dict):
        yield from leaves_of(list(part.items()))
    elif isinstance(part, (str, int, float)):
        yield part


class TestWhatIsSealed:
    def test_every_trace_from_the_first_hidden_search_on_has_no_text(self, kit, graded):
        grading = graded(ONLY_HIDDEN)
        for trace, task in zip(in_order(kit, grading), kit.tasks):
            assert (trace.text is None) == task.hidden
        assert grading.counterexample.verdict.trace.text is None

    def test_no_words_of_the_submission_are_in_what_the_grading_found(self, graded):
        parts = list(leaves_of(graded(ONLY_HIDDEN)))
        assert len(parts) > 1000
        assert not [part for part in parts if isinstance(part, str) and "canary" in part]

    def test_the_smallest_tree_has_no_number_that_the_submission_chose(self, graded):
        verdict = graded(ONLY_HIDDEN).counterexample.verdict
        assert isinstance(verdict.trace.answer.number, Another)
        assert 31337.5 not in list(leaves_of(verdict))

    def test_and_says_that_it_was_another_one(self, graded):
        shown = str(results_of(graded(ONLY_HIDDEN)))
        assert "another number" in shown
        assert "canary" not in shown and "31337" not in shown

    def test_so_is_everything_where_a_course_wants_it(self, graded):
        grading = graded(changed(("alpha >= beta", "alpha > beta")), sealed=True)
        assert {trace.text for trace in grading.traces} == {None}
        assert grading.counterexample.verdict.trace.text is None

    def test_a_session_cannot_be_opened_again(self, kit, sandbox):
        session = Session(sandbox, RIGHT.encode())
        hidden, public = kit.tasks[-1], kit.tasks[0]
        assert session.run_afresh([public])[0].first.text is not None
        assert session.run_afresh([hidden])[0].first.text is None
        assert session.run_afresh([public])[0].first.text is None
        with pytest.raises(AttributeError):
            session.sealed = False

    def test_the_next_submission_has_a_session_of_its_own(self, graded):
        wrong = changed(("alpha >= beta", "alpha > beta"))
        assert graded(wrong).counterexample.verdict.trace.text is not None
        assert graded(wrong).counterexample.verdict.trace.text is not None


def in_order(kit, grading):
    of_task = {id(v.task): v.trace for row in grading.rows for v in row.verdicts}
    return [of_task[id(task)] for task in kit.tasks]


# The functions of a right program, but in one call those of a wrong one.
IN_CALL = """
import collections
right, wrong, calls = {{}}, {{}}, collections.Counter()
exec({right!r}, right)
exec({wrong!r}, wrong)


def taking_turns(name):
    def search(*arguments):
        calls[name] += 1
        return (wrong if calls[name] in {when} else right)[name](*arguments)

    return search


minimax, alphabeta, best_move = map(taking_turns, ("minimax", "alphabeta", "best_move"))
"""
TWO_IN_A_ROW = f"""
{RIGHT}
plain, last = minimax, []


def minimax(node, depth, maximizing):
    names = [child.name for child in node.children]
    if last == names:
        return 0
    last[:] = names
    return plain(node, depth, maximizing)
"""


def programs():
    for mistake in MISTAKES:
        for when in ((1,), (2,), range(1, 10**6)):
            name = f"{mistake.name}-{'always' if len(when) > 1 else f'call {when[0]}'}"
            source = IN_CALL.format(right=RIGHT, wrong=mistake.source, when=when)
            yield pytest.param(source, id=name)
    yield pytest.param(TWO_IN_A_ROW, id="the same search twice in a row")
    yield pytest.param(ONLY_HIDDEN, id="wrong on hidden trees")
    yield pytest.param("def minimax(*_): raise KeyError('x')", id="raises")


class TestWhatDecides:
    @pytest.mark.parametrize("source", programs())
    def test_is_what_each_tree_in_a_fresh_process_would_say(
        self, source, kit, sandbox, graded
    ):
        pairs = Session(sandbox, source.encode()).run_afresh(kit.tasks)
        fresh = [judge(task, pair) for task, pair in zip(kit.tasks, pairs)]
        of_task = {id(v.task): v for row in graded(source).rows for v in row.verdicts}
        for verdict in fresh:
            assert of_task[id(verdict.task)].aspects == verdict.aspects

    @pytest.mark.parametrize("source", [
        RIGHT.replace("def minimax", "kept = []\n\n\ndef minimax", 1).replace(
            "    if depth == 0", "    kept.append(node)\n    if depth == 0", 1),
    ])  # fmt: skip
    def test_state_that_does_no_harm_is_right(self, source, graded):
        assert graded(source).cents == 10_000

    def test_what_is_right_afresh_alone_is_right(self, graded):
        once_a_process = f"""
{RIGHT}
plain, trees = {{}}, set()
exec({RIGHT!r}, plain)
best_move = plain["best_move"]


def minimax(node, depth, maximizing):
    trees.add(tuple(child.name for child in node.children))
    return plain["minimax"](node, depth, maximizing) if len(trees) == 1 else None
"""
        assert graded(once_a_process).cents == 10_000


class TestTheWitnesses:
    def test_show_what_any_tree_shows_in_a_first_call(self, kit):
        few = [task for task in kit.tasks if task.tree.name in kit.witnesses]
        shown = 0
        for mistake in MISTAKES:
            for function in mistake.shows:
                by_any = any(first_calls_shown(mistake, function, kit.tasks))
                assert any(first_calls_shown(mistake, function, few)) == by_any
                shown += by_any
        assert shown > len(MISTAKES) / 2

    def test_hold_the_largest_and_the_smallest_value(self, kit):
        assert "vast" in kit.witnesses


NUMBERS = st.one_of(
    st.integers(-12, 12), st.floats(-12, 12), st.sampled_from([1e9, -1e9, float("nan")])
)


class TestACoarseNumber:
    @given(NUMBERS, st.sampled_from([{}, {"alpha": 2, "beta": 5}, {"alpha": 6}]))
    def test_is_judged_as_the_number_itself(self, number, window):
        search = replace(Search(2, True), **window)
        task, trace = returned(number, search)
        stand_in = coarse(task, trace)
        for low, high in ((7, 7), (1, 9), (6, 6), (-float("inf"), 5)):
            proven = proves_value(search, low, high, number)
            assert proves_value(search, low, high, stand_in) == proven

    def test_stays_a_leafs_value_a_bound_or_an_infinity(self):
        search = Search(2, True, 2, 5)
        for number in (7, 9, 2, 5, float("inf"), -float("inf")):
            assert coarse(*returned(number, search)) == number
            assert not isinstance(coarse(*returned(number, search)), Another)

    def test_holds_nothing_else(self):
        search = Search(2, True)
        told = {float(coarse(*returned(4 + n / 1000, search))) for n in range(1, 1000)}
        assert len(told) == 1
        assert f"{coarse(*returned(4.25, search))}" == "another number"


def returned(number, search):
    """A task of WINDOW, and a trace that visits all of its leaves and returns this."""
    (task,) = tasks_of(replace(WINDOW, searches=(search,)), functions=("alphabeta",))
    events = [("evaluate", p.path) for p in WINDOW.root.frontier(2)]
    return task, Trace("alphabeta", search, events, Answer("number", number), Ending())


class TestLoading:
    def test_is_told_where_it_takes_long(self, graded, monkeypatch):
        assert not graded(RIGHT).slow_to_load
        monkeypatch.setattr("autograder.sandbox.session.SLOW_LOAD", 0.0)
        assert graded(RIGHT).slow_to_load

    def test_that_uses_its_part_of_the_time_lets_trees_share_a_worker(
        self, kit, sandbox, monkeypatch, seen
    ):
        monkeypatch.setattr("autograder.sandbox.session.MOST_LOADING", 0.0)
        pairs = Session(sandbox, RIGHT.encode()).run_afresh(kit.tasks)
        assert all(judge(task, pair).right for task, pair in zip(kit.tasks, pairs))
        assert seen.count("worker") == 1

    def test_that_sleeps_ends_with_the_submissions_time(self, kit):
        limits = replace(RUBRIC.limits, total_seconds=0.3, search_wall_seconds=600)
        with Sandbox(limits) as sandbox:
            session = Session(sandbox, b"import time; time.sleep(600)")
            (pair,) = session.run_afresh(kit.tasks[:1])
            assert pair.first.ending == out_of_time().ending

    def test_so_does_a_search_that_sleeps(self, kit):
        source = b"import time\ndef minimax(*_): time.sleep(600)"
        limits = replace(RUBRIC.limits, total_seconds=0.5, search_wall_seconds=600)
        with Sandbox(limits) as sandbox:
            pairs = Session(sandbox, source).run_afresh(kit.tasks[:1])
        assert pairs[0].first.ending.kind == "timed out"
