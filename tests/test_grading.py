"""Check the order of searches in a grading, and what it reveals of hidden trees."""

import io
import json
import pickle
import time
from collections import Counter
from types import SimpleNamespace

import pytest
from drawn import RUBRIC, textbook
from helpers import (
    CORRECT,
    cases,
    changed,
    small_kit,
    tree_of,
    variant,
)

from autograder.course.outcome import Status, outcome_of
from autograder.grading import grade, runs_to_explain
from autograder.sandbox import Budget, Sandbox, Session
from autograder.sandbox.conversation import Conversation
from autograder.scoring.rubric import HINTS, LINE, NONE
from autograder.scoring.tasks import not_begun
from autograder.showing.messages import messages_of
from autograder.showing.report import report_html
from autograder.showing.results import results_of, results_text
from gametree.support.judging import Task, Verdict, judge
from gametree.support.trace import NOT_RUN, Ending, Text, Trace

STRICT = changed(("alpha >= beta", "alpha > beta"))
TIE = tree_of("[1, [1, 1]]", name="tie")
SMALL = tree_of("[[3, 5], [7, 2]]", "min", name="small")
WINDOW = tree_of("[[7, 6, 9], [5, 1]]", name="window", searches="[{}, {alpha: 2, beta: 5}]")
DEEP = tree_of("[[2, [5, 1]], [[0, 7], 3], [2, 2]]", "min", name="deep")
VAST = tree_of("[[31337, 5], [-31338, 9], [31339, 1]]", name="vast")
PUBLIC = (TIE, SMALL)
HIDDEN = (textbook(), WINDOW, DEEP, VAST)
TABLE_BY_NAME = variant("mistakes/table_by_name")
MISTAKES = variant("mistakes/strict_cutoff"), TABLE_BY_NAME
TOTAL_CENTS = RUBRIC.max_cents


pytestmark = pytest.mark.usefixtures("short_ladder")


def kit_with(hints=RUBRIC.hints, **limits):
    """Return a small kit with these hints and limits."""
    limits = RUBRIC.limits._replace(**limits)
    return small_kit(PUBLIC, HIDDEN, MISTAKES, limits=limits, hints=hints)


@pytest.fixture(scope="module")
def kit():
    return kit_with()


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(RUBRIC.limits) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def grade_program(kit, sandbox):
    """Return a function: a source text -> its Grading."""

    def grade_source(source):
        return grade(kit, source.encode(), sandbox)

    return grade_source


@pytest.fixture
def log(monkeypatch):
    """Return the number of loads and the searched tasks of all workers, in order."""
    log = SimpleNamespace(loads=0, tasks=[])
    load = Conversation.load
    search = Conversation.search

    def load_and_log(self, source):
        log.loads += 1
        return load(self, source)

    def search_and_log(self, searches):
        for (_, task), trace in zip(searches, search(self, searches)):
            log.tasks.append(task)
            yield trace

    monkeypatch.setattr(Conversation, "load", load_and_log)
    monkeypatch.setattr(Conversation, "search", search_and_log)
    return log


def results_in_order(kit, grading):
    """Return the Results of a grading in the order of the kit's tasks."""
    results = {}
    for planned, row in zip(kit.plan, grading.rows):
        results |= zip(planned.tasks, row.results)
    return [results[task] for task in kit.tasks]


class Collector(pickle.Pickler):
    """Collects all objects that can be reached from an object."""

    def __init__(self):
        super().__init__(io.BytesIO())
        self.found = []

    def reducer_override(self, part):
        self.found.append(part)
        return NotImplemented

    def all_of(self, kind):
        return [part for part in self.found if isinstance(part, kind)]


# Correct on public trees, wrong on large values. It tries to leak the values of leaves.
ONLY_HIDDEN = f"""
{CORRECT}
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


def test_a_correct_submission_runs_each_search_once_and_public_trees_first(
    kit, grade_program, log
):
    assert grade_program(CORRECT).score.cents == TOTAL_CENTS
    assert log.tasks == list(kit.tasks)
    assert log.loads == 2


GIVES_UP = f"""
{CORRECT}
right, calls = alphabeta, []


def alphabeta(*arguments):
    calls.append(arguments)
    return right(*arguments) if len(calls) < 20 else 0
"""

# Wrong programs, without and with state that alphabeta keeps between searches.
STATELESS = {"strict cutoffs": STRICT, "wrong on hidden trees only": ONLY_HIDDEN}
STATEFUL = {"a table by name": TABLE_BY_NAME.source, "gives up after 20": GIVES_UP}
WRONG = STATELESS | STATEFUL


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_submission_repeats_only_the_first_wrong_public_searches(
    wrong, kit, grade_program, log
):
    grading = grade_program(WRONG[wrong])
    times = Counter(task.key for task in log.tasks if task in kit.tasks)
    assert set(times) == {task.key for task in kit.tasks}
    assert max(times.values()) <= 3
    public_keys = {verdict.task.key for verdict in grading.public}
    repeated = {key for key, count in times.items() if count > 1}
    assert repeated <= public_keys
    assert len(repeated) <= len(RUBRIC.assigned), "at most one search of each function"
    assert bool(grading.explanation.state_leaks) == (wrong in STATEFUL)


def test_no_search_that_students_see_is_run_after_a_hidden_tree(sandbox, log):
    wrong = "def alphabeta(node, depth, *window):\n    return node.evaluate()\n"
    source = f"{CORRECT}\n\n{wrong}".encode()
    grading = grade(kit_with(hints="line"), source, sandbox)
    hidden = [task.is_hidden for task in log.tasks]
    assert hidden == sorted(hidden)
    assert hidden[-1]
    small_trees = [t for t in log.tasks if t.tree.name.startswith(("MAX", "MIN"))]
    assert small_trees
    assert grading.explanation.smallest.verdict


class TestIfOnlyHiddenTreesFail:
    @pytest.fixture(scope="class")
    def grading(self, grade_program):
        return grade_program(ONLY_HIDDEN)

    @pytest.fixture(scope="class")
    def page(self, grading):
        return report_html(grading)

    def test_the_smallest_tree_is_searched_for_last(self, grade_program, log):
        grading = grade_program(ONLY_HIDDEN)
        assert grading.explanation.smallest
        assert not log.tasks[-1].is_hidden

    def test_the_grading_has_no_hidden_tree_and_no_search_of_one(self, grading):
        collector = Collector()
        collector.dump(grading)
        tasks = [*collector.all_of(Task)]
        assert len(tasks) == len(grading.public) + 1  # the smallest tree
        assert [task.tree.name for task in tasks if task.is_hidden] == []
        verdicts = collector.all_of(Verdict)
        assert len(verdicts) == len(grading.public)
        known = [task.expected for task in tasks] + [v.trace for v in verdicts]
        assert {*collector.all_of(Trace)} <= {*known}

    def test_the_grading_contains_no_text_and_no_number_of_the_submission(self, grading):
        data = pickle.dumps(grading, protocol=0)  # with numbers in digits
        assert len(data) > 1_000
        assert b"canary" not in data and b"31337" not in data

    def test_the_page_shows_only_what_the_correct_search_returns(self, page):
        assert "The correct search returns" in page
        assert "Your search returns" not in page

    def test_of_the_smallest_tree_only_the_wrong_aspects_are_known(self, grading):
        smallest = grading.explanation.smallest
        assert smallest.verdict is None
        assert smallest.shown_trace is smallest.task.expected
        assert smallest.wrong_aspects


@pytest.mark.parametrize("hints", HINTS)
def test_hints_of_a_level_have_nothing_of_a_higher_level(hints, sandbox):
    found = grade(kit_with(hints), STRICT.encode(), sandbox).explanation
    has_parts = (bool(found.diagnoses), bool(found.reading.functions), bool(found.lines))
    assert has_parts == (hints != NONE, hints != NONE, hints == LINE)
    assert found.smallest is not None


def test_no_trace_has_text_after_a_hidden_tree(kit, sandbox):
    prints = ("if depth == 0", "print(1)\n    if depth == 0")
    session = Session(sandbox, changed(prints, function="minimax").encode())
    public = kit.tasks[0]
    hidden = kit.tasks[-1]
    (open_trace,) = session.run([public], sealed=False)
    assert open_trace.text.printed
    (sealed_trace,) = session.run([hidden], sealed=True)
    assert sealed_trace.text == Text()
    (later_trace,) = session.run([public], sealed=False)
    assert later_trace.text == Text()


# A correct best_move that needs 40 ms of CPU time.
SLOW_MOVE = f"""
{CORRECT}
import time
fast_move = best_move


def best_move(*arguments):
    end = time.process_time() + 0.04
    while time.process_time() < end:
        pass
    return fast_move(*arguments)
"""


class TestIfTheTimeIsUsedUp:
    @pytest.fixture(scope="class")
    def grading(self):
        """Return the Grading of a program whose best_move has time for 4 searches."""
        return grade(kit_with(total_seconds=0.4), SLOW_MOVE.encode())

    def test_only_the_last_searches_of_the_slow_function_are_not_run(self, kit, grading):
        results = results_in_order(kit, grading)
        undecided = {"minimax": [], "alphabeta": [], "best_move": []}
        for task, result in zip(kit.tasks, results):
            undecided[task.function].append(result.ending.undecided)
        of_moves = undecided.pop("best_move")
        assert of_moves == sorted(of_moves)
        assert 0 < sum(of_moves) < len(of_moves)
        assert len(grading.undecided) == sum(of_moves)
        assert not any(map(any, undecided.values()))

    def test_searches_that_were_run_are_still_correct(self, grading):
        ran = [result for result in grading.score.results if not result.ending.undecided]
        assert [result for result in ran if not result.is_right] == []

    def test_the_program_is_not_called_wrong(self, grading):
        assert not grading.explanation.diagnoses
        assert not messages_of(grading)

    def test_the_results_say_how_many_searches_were_not_run(self, grading):
        assert f"{len(grading.undecided)} searches were not run" in str(results_of(grading))


SLEPT_TOO_LONG = "the time of 1.2 s was used up"


class TestIfTheProgramSleeps:
    @pytest.fixture(scope="class")
    def grading(self, sandbox):
        """Return the Grading of a correct program that has slept for 8 searches."""
        ended = []

        def refusal_of(budget, function):
            if len(ended) >= 8:
                return Ending(NOT_RUN, reason=SLEPT_TOO_LONG)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Budget, "count", lambda budget, trace: ended.append(trace))
            patch.setattr(Budget, "refusal_of", refusal_of)
            return grade(kit_with(), CORRECT.encode(), sandbox)

    def test_its_last_searches_are_not_run_and_that_is_final(self, grading):
        assert 0 < len(grading.given_up) < len(grading.score.results)
        assert grading.undecided == []
        assert all(result.is_right for result in grading.score.results if result.was_run)

    def test_the_screen_and_the_gradebook_say_why(self, grading):
        count = len(grading.given_up)
        said = f"{count} searches were not run: {SLEPT_TOO_LONG}"
        assert said in str(results_of(grading))
        outcome, _ = outcome_of(grading)
        assert (outcome.status, outcome.remark) == (Status.GRADED, SLEPT_TOO_LONG)


def test_a_search_that_was_not_run_is_not_explained(kit):
    task = kit.tasks[0]
    not_run = judge(task, not_begun(task, Ending(NOT_RUN)))
    assert runs_to_explain([not_run]) == []


def test_slow_hints_leave_the_hidden_trees_enough_time(monkeypatch):
    def work(*_):
        end = time.process_time() + 0.4
        while time.process_time() < end:
            pass

    monkeypatch.setattr("autograder.explaining.explain.explain", work)
    grading = grade(kit_with(total_seconds=0.4), STRICT.encode())
    assert grading.undecided == []


@pytest.fixture(scope="module")
def usual_grading(grade_program):
    """Return the Grading of a wrong program without internal errors."""
    return grade_program(STRICT)


def fail(*_, **__):
    """Stand in for a part of the kit that has a bug."""
    raise LookupError("a bug in the kit")


def scores_of(results):
    """Return (number, score) of every row."""
    return [(row["number"], row["score"]) for row in results["tests"]]


@cases("parts that explain")
def test_an_internal_error_in_an_explanation_costs_no_points(
    part, sandbox, usual_grading, monkeypatch
):
    usual_scores = scores_of(results_of(usual_grading))
    monkeypatch.setattr(f"autograder.{part}", fail)
    in_line = part.endswith("find_line")
    hints = LINE if in_line else RUBRIC.hints
    grading = grade(kit_with(hints), STRICT.encode(), sandbox)
    assert grading.explanation.smallest or not in_line, "only the line is lost"
    rendered = results_text(grading)
    assert "a bug in the kit" in "".join(grading.faults + rendered.faults)
    assert "could not be shown because of an internal error" in rendered.text
    assert scores_of(json.loads(rendered.text)) == usual_scores
