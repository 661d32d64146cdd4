"""Find what can be shown in full: state leaks, the smallest failing tree and the lines.

A state leak is a search that is correct alone and wrong after others, because its function
keeps state. To detect one, the first wrong search of a public tree is run again, alone. The
wrong search of the smallest tree is run again too.

The budgets are counts of searches, queries and changed programs, so that every machine
finds the same explanation. A limit of CPU seconds only stops slow programs, and the screen
says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain

from autograder.explaining import reading, syntax
from autograder.explaining.explanation import (
    Evidence,
    Explanation,
    FunctionText,
    Localisation,
    Reading,
    SmallestTree,
)
from autograder.explaining.line import find_line
from autograder.explaining.symptoms import blamed_callees, wrong_aspects
from autograder.sandbox import Budget, Session
from autograder.scoring.scores import wrong_and_written
from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge
from gametree.support.trace import TIMED_OUT
from gametree.support.tree import StoredPosition

MAX_FUNCTIONS = 2  # of which a line is shown
SEARCH_CPU_SECONDS = 0.5  # of a small tree


def explain(evidence: Evidence, by_loss: Sequence[str]) -> Explanation:
    """Return an Explanation with the text, the state leaks and the smallest tree.

    by_loss: the wrong functions, largest loss of points first.
    """
    text = read_text(evidence.session, evidence.budget)
    leaks = find_state_leaks(evidence)
    order = callers_last(by_loss, text)
    smallest = None
    for function in order:
        if not _is_explicable(function, evidence.verdicts, leaks):
            continue
        smallest, leak = find_smallest(evidence, function)
        if leak:
            leaks[function] = leak
        if smallest or leak or evidence.budget.is_used_up():
            break
    return Explanation(tuple(order), smallest, state_leaks=leaks, reading=text)


def _is_explicable(function, verdicts, leaks):
    """Tell whether a wrong function is written, and whether it keeps no known state.

    The result of a function that keeps state depends on earlier searches.
    """
    return function not in leaks and wrong_and_written(function, verdicts)


def read_text(session: Session, budget: Budget) -> Reading:
    """Read a submission's text in a worker that runs none of the submission's code."""
    arguments = {name: function.arguments for name, function in FUNCTIONS.items()}
    data = session.use_tool(
        reading.read_program, arguments, helpers=[syntax.__name__], budget=budget
    )
    return reading_from(data)


def reading_from(data: bytes) -> Reading:
    """Return the Reading that read_program() wrote, or an empty one for no data."""
    texts, *others = json.loads(data or b"[{}]")
    functions = {name: FunctionText(*text) for name, text in texts.items()}
    return Reading(functions, *others)


def callers_last(names: Sequence[str], text: Reading) -> list[str]:
    """Return functions in the same order, but those that call another of them last.

    They may be wrong only because of that call.
    """
    return sorted(names, key=lambda name: text.calls_any(name, names))


def find_state_leaks(evidence: Evidence) -> dict[str, Task]:
    """Return a state leak of each function that has one: function -> search.

    The first wrong public search of each function is run alone, in a fresh worker. It is a
    state leak if it is correct there.
    """
    leaks = {}
    for function in FUNCTIONS:
        wrong = _wrong_public_tasks(function, evidence.verdicts)
        if not wrong or not wrong_and_written(function, evidence.verdicts):
            continue
        is_right = _is_right_alone(evidence, wrong[0])
        if evidence.budget.is_used_up():
            break
        if is_right:
            leaks[function] = wrong[0]
    return leaks


def _wrong_public_tasks(function, verdicts):
    """Return the public tasks that a function failed, and that may be run again."""
    wrong = []
    for verdict in verdicts:
        task = verdict.task
        is_fast = verdict.trace.ending.kind != TIMED_OUT
        is_public = task.function == function and not task.is_hidden
        if is_public and is_fast and not verdict.is_right:
            wrong.append(task)
    return wrong


def _is_right_alone(evidence, task):
    session = evidence.session
    trace = next(session.run([task], evidence.budget, sealed=session.is_sealed))
    return judge(task, trace).is_right


def find_smallest(
    evidence: Evidence, function: str
) -> tuple[SmallestTree | None, Task | None]:
    """Return the smallest tree on which a function fails, or None.

    The public trees on which it failed are tried after the ladder. If the failing search is
    correct alone, return it as a state leak instead.
    """
    session, ladder, verdicts, budget = evidence
    late = session.is_sealed
    budget = budget.tighter(search_cpu_seconds=SEARCH_CPU_SECONDS)
    after = _drawable(_wrong_public_tasks(function, verdicts))
    traces = session.run(chain(ladder.tasks(function), after), budget, sealed=late)
    tasks = chain(ladder.tasks(function), after)
    for place, (task, trace) in enumerate(zip(tasks, traces), start=1):
        if budget.is_used_up():
            break
        verdict = judge(task, trace)
        if verdict.is_right:
            continue
        if _is_right_alone(evidence._replace(budget=budget), task):
            return None, task
        shown = None if late else verdict
        return SmallestTree(task, place, wrong_aspects(verdict), shown), None
    return None, None


def _drawable(tasks):
    """Return the tasks on stored trees, those with the fewest visits first.

    A tree that is created during its search is not among them, because it cannot be drawn.
    """
    stored = [task for task in tasks if isinstance(task.tree.root, StoredPosition)]
    return sorted(stored, key=lambda task: task.expected.node_count)


def find_lines(evidence: Evidence, found: Explanation) -> dict[str, Localisation]:
    """Return the lines of the drawn function and of a second wrong one, by function.

    No line is searched for in a function that may be wrong only because of a function that
    it calls, or that takes its parameters in another order.

    found: the result of explain().
    """
    lines = {}
    for function in _functions_to_change(evidence.verdicts, found):
        smallest = found.smallest_of(function)
        if smallest is None:
            smallest, _ = find_smallest(evidence, function)
        if smallest is None or smallest.verdict is None:
            continue
        line = find_line(evidence, smallest.verdict, smallest.tried, found.reading)
        if line:
            lines[function] = line
    return lines


def _functions_to_change(verdicts, found):
    """Return the drawn function, and another that calls none, if a line may fix them."""
    if found.smallest is None:
        return []
    order = found.order
    alone = [name for name in order if not found.reading.calls_any(name, order)]
    possible = []
    for function in list(dict.fromkeys([found.smallest.function, *alone]))[:MAX_FUNCTIONS]:
        text = found.reading.text_of(function)
        rests_on_others = blamed_callees(function, text.calls, verdicts)
        if text.other_order or rests_on_others:
            continue
        if _is_explicable(function, verdicts, found.state_leaks):
            possible.append(function)
    return possible
