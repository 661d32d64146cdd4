"""Find what can be shown in full: state leaks, the smallest failing tree and the line.

The budgets are counts of searches, queries and changed programs, so that every machine
finds the same explanation. A limit of CPU seconds only stops slow programs, and the screen
says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.explaining import reading, syntax
from autograder.explaining.explanation import Explanation
from autograder.explaining.line import Localisation, find_line
from autograder.explaining.smallest import find_smallest, find_state_leaks
from autograder.explaining.symptoms import blamed_callees
from autograder.sandbox import Budget, Session
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict

MAX_LINES = 2  # functions of which a line is shown


def explain(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    by_loss: Sequence[str],
    budget: Budget,
) -> Explanation:
    """Return an Explanation with the text, the state leaks and the smallest tree.

    ladder: the small trees.
    verdicts: the verdicts on the searches that were run so far.
    by_loss: the wrong functions, largest loss of points first.
    """
    text = read_text(session, budget)
    public = [verdict for verdict in verdicts if not verdict.task.is_hidden]
    leaks = find_state_leaks(session, public, budget)
    order = callers_last(by_loss, text)
    smallest, leak = find_smallest(session, ladder, verdicts, leaks, order, budget)
    if leak:
        leaks.append(leak)
    return Explanation(tuple(order), smallest, state_leaks=tuple(leaks), reading=text)


def read_text(session: Session, budget: Budget) -> reading.Reading:
    """Read a submission's text in a worker that runs none of the submission's code."""
    arguments = {name: function.arguments for name, function in FUNCTIONS.items()}
    data = session.use_tool(
        reading.read_program, arguments, helpers=[syntax.__name__], budget=budget
    )
    return reading.reading_from(data)


def callers_last(names: Sequence[str], text: reading.Reading) -> list[str]:
    """Return functions in the same order, but those that call another of them last.

    They may be wrong only because of that call.
    """

    def calls_wrong_function(name):
        return not set(text.text_of(name).calls).isdisjoint(names)

    return sorted(names, key=calls_wrong_function)


def find_lines(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    found: Explanation,
    budget: Budget,
) -> tuple[Localisation, ...]:
    """Return the line of the drawn function, and of a second wrong function.

    No line is searched for in a function that may be wrong only because of a function that
    it calls, or that takes its parameters in another order. The arguments are those of
    explain(), and `found` is its result.
    """
    lines = []
    for smallest in _trees_to_explain(session, ladder, verdicts, found, budget):
        failure = smallest.verdict
        tried = smallest.tried
        line = find_line(session, ladder, verdicts, failure, tried, budget, found.reading)
        if line:
            lines.append(line)
    return tuple(lines)


def _trees_to_explain(session, ladder, verdicts, found, budget):
    """Yield the drawn SmallestTree, and that of another function that calls none."""
    if found.smallest is None:
        return
    drawn = found.smallest.function
    order = found.order
    text_of = found.reading.text_of
    alone = [name for name in order if set(text_of(name).calls).isdisjoint(order)]
    for function in list(dict.fromkeys([drawn, *alone]))[:MAX_LINES]:
        text = text_of(function)
        if text.other_order or blamed_callees(function, text.calls, verdicts):
            continue
        smallest = found.smallest
        if function != drawn:
            smallest, _ = find_smallest(
                session, ladder, verdicts, found.state_leaks, [function], budget
            )
        if smallest:
            yield smallest
