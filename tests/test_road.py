"""The road of a grading: what is run, in which order, what decides, what may be shown."""

import pickle
from collections import Counter
from dataclasses import replace

import pytest
from drawn import RUBRIC, textbook
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of

from autograder.grade import write_report_beside
from autograder.grading import grade
from autograder.kit import Kit
from autograder.mistakes.library import Library, by_difference
from autograder.mistakes.variants import load_variant
from autograder.results import results_of
from autograder.sandbox import Sandbox, Session, protocol
from autograder.sandbox.conversation import Conversation
from autograder.showing.messages import messages_of
from autograder.showing.report import report_html
from autograder.tasks import tasks_for

RIGHT = REFERENCE_SOURCE.decode()
STRICT = changed(("alpha >= beta", "alpha > beta"))
TIE = tree_of("[1, [1, 1]]", name="tie")
SMALL = tree_of("[[3, 5], [7, 2]]", "min", name="small")
WINDOW = tree_of("[[7, 6, 9], [5, 1]]", name="window", searches="[{}, {alpha: 2, beta: 5}]")
DEEP = tree_of("[[2, [5, 1]], [[0, 7], 3], [2, 2]]", "min", name="deep")
VAST = tree_of("[[31337, 5], [-31338, 9], [31339, 1]]", name="vast")
PUBLIC, HIDDEN = (TIE, SMALL), (textbook(), WINDOW, DEEP, VAST)
KNOWN = ("strict_cutoff", "best_starts_at_zero", "table_by_name")
MISTAKES = tuple(load_variant(ROOT / f"solution/mistakes/{name}.py") for name in KNOWN)


def kit_with(hints=RUBRIC.hints, **limits):
    tasks = tasks_of(*PUBLIC) + tasks_for(HIDDEN, reference(), hidden=True)
    rubric = replace(RUBRIC, limits=RUBRIC.limits._replace(**limits), hints=hints)
    kit = Kit(ROOT, rubric, PUBLIC, HIDDEN, tuple(tasks))
    vars(kit).update(library=Library(by_difference(MISTAKES, RIGHT), kit.tasks))
    return kit


@pytest.fixture(scope="module")
def kit():
    return kit_with()


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(RUBRIC.limits) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def graded(kit, sandbox):
    """Return a function: a source text -> its Grading."""
    return lambda source, **how: grade(kit, source.encode(), sandbox, **how)


@pytest.fixture
def seen(monkeypatch):
    """Return the list of the tasks that are searched, and "worker", as they come."""
    seen = []
    load, search = Conversation.load, Conversation.search

    def load_and_note(self, order, program):
        seen.extend(["worker"] * (order == protocol.RUN_SOURCE))
        return load(self, order, program)

    def search_and_note(self, task):
        seen.append(task)
        return search(self, task)

    monkeypatch.setattr(Conversation, "load", load_and_note)
    monkeypatch.setattr(Conversation, "search", search_and_note)
    return seen


def in_order(kit, grading):
    """Return the traces of a grading in the order of the kit's tasks."""
    of_task = {v.task.key: v.trace for row in grading.rows for v in row.verdicts}
    return [of_task[task.key] for task in kit.tasks]


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


def searches_in(seen):
    return [task for task in seen if task != "worker"]


def test_of_a_right_submission_each_search_is_run_once_public_ones_first(kit, graded, seen):
    assert graded(RIGHT).cents == 10_000
    assert searches_in(seen) == list(kit.tasks) and seen.count("worker") == 2


GIVES_UP = f"""
{RIGHT}
right, calls = alphabeta, []


def alphabeta(*arguments):
    calls.append(arguments)
    return right(*arguments) if len(calls) < 20 else 0
"""

# Wrong programs -> the functions that keep something.
KEEPING = dict.fromkeys([MISTAKES[2].source, GIVES_UP], ["alphabeta"])
WRONG = {STRICT: [], ONLY_HIDDEN: [], **KEEPING}


def test_of_a_wrong_one_no_search_is_run_twice_but_what_names_the_state_that_is_kept(
    kit, graded, seen
):
    for source, keeping in WRONG.items():
        seen.clear()
        grading = graded(source)
        times = Counter(task.key for task in seen if task in kit.tasks)
        twice = {key for key, count in times.items() if count > 1}
        wrong = [v.task for row in grading.rows if row.public for v in row.verdicts]
        assert set(times) == {task.key for task in kit.tasks} and max(times.values()) <= 3
        assert twice <= {task.key for task in wrong}
        assert len(twice) <= 3, "the first wrong one of each function"
        assert [kept.function for kept in grading.state_leaks] == keeping
        assert all(kept.before and not kept.at_random for kept in grading.state_leaks)
        shown = str(results_of(grading))
        assert ("keeps something from one search to the next" in shown) == bool(keeping)


def test_nothing_that_students_read_is_run_after_the_first_hidden_tree(sandbox, seen):
    grading = grade(kit_with(hints="line"), STRICT.encode(), sandbox)
    tasks = searches_in(seen)
    first_hidden = next(n for n, task in enumerate(tasks) if task.hidden)
    assert all(task.hidden for task in tasks[first_hidden:])
    ladder = [task for task in tasks if task.tree.name.startswith(("MAX", "MIN"))]
    assert ladder and not grading.counterexample.late


def test_what_only_hidden_trees_tell_is_said_without_the_submissions_words(
    kit, graded, seen
):
    grading = graded(ONLY_HIDDEN)
    assert grading.counterexample.late and not searches_in(seen)[-1].hidden
    for trace, task in zip(in_order(kit, grading), kit.tasks):
        assert (trace.text is None) == task.hidden
    found, page = pickle.dumps(grading), report_html(grading)
    shown = str(results_of(grading)) + page
    assert "The right search returns" in page and "Your search returns" not in page
    assert len(found) > 10_000 and b"canary" not in found
    assert "The drawing shows the right search" in shown
    assert "canary" not in shown and "31337" not in shown
    verdict = grading.counterexample.verdict
    assert verdict.trace is verdict.task.expected and not verdict.findings
    assert not all(verdict.aspects.values())


def test_in_a_course_all_text_is_sealed(graded):
    grading = graded(STRICT, sealed=True)
    assert {trace.text for trace in grading.traces} == {None}
    assert grading.counterexample.verdict.trace.text is None


def test_a_session_cannot_be_opened_again(kit, sandbox):
    session = Session(sandbox, RIGHT.encode())
    hidden, public = kit.tasks[-1], kit.tasks[0]
    assert next(session.run([public])).text is not None
    assert next(session.run([hidden])).text is None
    assert next(session.run([public])).text is None
    with pytest.raises(AttributeError):
        session.sealed = False


HEAD = "def minimax(node, depth, maximizing):"
SLOW = "import time\n" + RIGHT.replace(HEAD, f"{HEAD}\n    time.sleep(0.02)")


def test_time_that_is_used_up_leaves_what_was_decided_as_it_is(sandbox):
    kit = kit_with(total_seconds=0.25)
    grading = grade(kit, SLOW.encode(), sandbox=None)
    ran = [not trace.ending.undecided for trace in in_order(kit, grading)]
    assert 0 < sum(ran) < len(ran) and ran == sorted(ran, reverse=True)
    verdicts = [v for row in grading.rows for v in row.verdicts]
    assert all(v.right for v in verdicts if not v.trace.ending.undecided)
    assert grading.undecided == len(ran) - sum(ran)
    assert not grading.diagnoses and not messages_of(grading)
    assert f"{grading.undecided} searches were not run" in str(results_of(grading))
    grading = grade(kit, b"import time; time.sleep(600)")  # the same while it is loaded
    assert grading.cents == 0 and grading.undecided == len(kit.tasks)


@pytest.mark.parametrize("total, most", [(3.0, 0.75), (0.9, 0.0)])
def test_time_for_hints_is_what_the_hidden_trees_do_not_need(total, most, monkeypatch):
    """A wrong program that is slow earns what it earns without any hint."""
    given, limited = [], Session.limited

    def noted(self, seconds, **how):
        given.append(seconds)
        return limited(self, seconds, **how)

    monkeypatch.setattr(Session, "limited", noted)
    slow = SLOW.replace("alpha >= beta", "alpha > beta")
    grade(kit_with(total_seconds=total), slow.encode())
    assert given[0] <= most


def test_after_three_searches_that_run_out_of_time_a_functions_others_are_not_run():
    endless = changed(("    if maximizing:", "    while True: pass\n    if maximizing:"))
    grading = grade(kit_with(search_cpu_seconds=0.05), endless.encode())
    kinds = Counter(t.ending.kind for t in grading.traces if t.function == "alphabeta")
    assert kinds["timed out"] == 3 and set(kinds) == {"timed out", "not run"}
    assert grading.undecided == 0
    others = {t.ending.kind for t in grading.traces if t.function != "alphabeta"}
    assert others == {"returned"}


def test_state_that_is_kept_is_told_from_what_is_drawn_at_random(graded):
    noise = "int.from_bytes(__import__('os').urandom(4), 'big')"
    (kept,) = graded(changed(("return node.evaluate()", f"return {noise}"))).state_leaks
    assert kept.at_random and kept.function == "alphabeta"


PARTS = [
    "autograder.counterexample.find_counterexample",
    "autograder.counterexample.find_state_leaks",
    "autograder.localisation.find_line",
    "autograder.mistakes.diagnosis.diagnose",
    "autograder.mistakes.reading.reading_from",
    "autograder.grading.hints.functions_by_loss",
    "autograder.showing.summary.feedback_text",
    "autograder.showing.rowtext.row_text",
]


@pytest.fixture(scope="module")
def usual(graded):
    """Return (the Grading of a wrong program, its results), where nothing fails."""
    grading = graded(STRICT)
    return grading, results_of(grading)


def fails(*_, **__):
    raise LookupError("a fault of the kit")


@pytest.mark.parametrize("part", PARTS)
def test_a_fault_of_the_kit_in_what_explains_costs_no_points(
    part, sandbox, usual, monkeypatch
):
    monkeypatch.setattr(part, fails)
    hints = "line" if part.endswith("find_line") else RUBRIC.hints
    grading = grade(kit_with(hints), STRICT.encode(), sandbox)
    results = results_of(grading)
    assert "a fault of the kit" in "".join(grading.faults)
    assert "could not be made, by a fault of the autograder" in str(results)
    for key in ("number", "score"):
        told = [[test[key] for test in each["tests"]] for each in (results, usual[1])]
        assert told[0] == told[1]


def test_a_fault_of_the_kit_in_the_page_is_a_line_and_a_file(
    usual, monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr("autograder.showing.report.write_report", fails)
    write_report_beside(usual[0], tmp_path, "search.py")
    assert capsys.readouterr().err.count("\n") == 1
    assert "a fault of the kit" in (tmp_path / "fault.txt").read_text()


def test_loading_that_takes_long_is_told(graded, monkeypatch):
    assert not graded(RIGHT).slow_to_load
    monkeypatch.setattr("autograder.sandbox.session.SLOW_LOAD_CPU_SECONDS", 0.0)
    assert graded(RIGHT).slow_to_load


def test_what_is_drawn_from_random_is_drawn_alike_each_time(graded):
    sample = "in random.sample(node.children, len(node.children)):"
    shuffled = "import random\n" + RIGHT.replace("in node.children:", sample)
    assert results_of(graded(shuffled)) == results_of(graded(shuffled))
