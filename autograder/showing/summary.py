"""What a student reads first: the first screen, as data and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest

from autograder.counterexample import Counterexample
from autograder.grading import Grading
from autograder.judging.edges import edge_of
from autograder.judging.scores import Row, look_first, parts_of, score_text
from autograder.mistakes.diagnosis import NOT_WRITTEN
from autograder.plaintext import printable
from autograder.showing import sentences
from autograder.showing.advice import Advice, about, advice_of
from autograder.showing.explanation import explain
from autograder.showing.lines import Pointer, pointer_of
from autograder.showing.rowtext import drawing, row_name
from autograder.smalltrees.build import asked, lists_of, written
from gametree.functions import NODE_COUNT
from gametree.saying import say
from gametree.trace import RETURNED
from gametree.tree import Search
from gametree.words import in_words

LINES, WIDTH = 24, 90  # of the first screen
INDENT = "  "
# Lines of marks, checks and causes, and how many lines stand around one to look at: the
# first that fit. -1 leaves that one out as well; the sentence says its number.
ROOM = (
    *((2, 3, 3, 1), (1, 2, 3, 1), (1, 1, 3, 1), (1, 1, 3, 0)),
    *((1, 0, 3, 0), (1, 0, 2, 0), (1, 0, 1, 0), (1, 0, 1, -1)),
)


@dataclass(frozen=True)
class Mark:
    """What a concept earned that lost points: "ties", "0/9"."""

    function: str
    concept: str
    score: str


@dataclass(frozen=True)
class Summary:
    """The first screen, before it is laid out.

    `score` and `parts` are points, the whole and by function. `problems` say why nothing
    could be judged, of all or of some functions. `advice` is about the function of
    `smallest`, the smallest tree on which one fails; `deciding` is the sentence that
    says why it does, `pointer` says at which line to look. `checks` are at most three
    things to look at, `marks` the concepts that lost points. `next` is what to do when
    all is right.
    """

    score: str
    parts: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    advice: Advice | None = None
    pointer: Pointer | None = None
    smallest: Counterexample | None = None
    deciding: str = ""
    printed: str = ""
    checks: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    next: str = ""


def summary_of(grading: Grading) -> Summary:
    """Return the Summary of a grading."""
    score = score_text(grading)
    by_hand = _by_hand_problem(grading)
    if grading.refusal:
        return Summary(score, problems=(str(grading.refusal), *by_hand))
    if grading.load_failure is not None:
        fault = sentences.not_loaded(grading.load_failure)
        return Summary(score, problems=(fault, *by_hand))
    parts = tuple(f"{p.function} {score_text(p)}" for p in parts_of(grading.rows))
    if grading.by_hand:
        parts = (f"{say('graded by hand.name')} {score_text(grading.by_hand)}", *parts)
    remarks = (*_remarks(grading), *by_hand)
    marks = (*_hand_marks(grading), *_marks(grading.rows))
    first = look_first(grading.rows)
    if grading.unseen_rows:
        remarks = (say("summary.unseen", count=grading.unseen_rows), *remarks)
    if not grading.rows:
        return Summary("", problems=remarks)
    if first is None:
        problems = (_all_right(grading), *remarks)
        return Summary(score, parts, problems, marks=marks, next=say("summary.next"))
    smallest = _worth_showing(grading.counterexample)
    function = smallest.verdict.task.function if smallest else first.function
    advice = about(function, grading.diagnoses)
    if advice is None and not smallest and grading.diagnoses:
        advice = advice_of(grading.diagnoses[0])
    if advice is None or not advice.sure:
        advice = _of_edge(grading, function) or advice
    deciding, printed = "", ""
    if smallest:
        deciding = _deciding(smallest)
        printed = _printed(smallest.verdict.trace)
    return Summary(
        score,
        parts,
        problems=(*_never_returned(grading), *remarks),
        advice=advice,
        pointer=pointer_of(grading) if smallest else None,
        smallest=smallest,
        deciding=deciding,
        printed=printed,
        checks=_checks(grading, advice, smallest, first),
        marks=marks,
    )


def _remarks(grading):
    """Yield a line for each thing to know about the grading itself."""
    if grading.slow_to_load:
        yield say("summary.slow")
    if grading.undecided:
        yield say("summary.undecided", count=grading.undecided)
    if grading.faults:
        yield say("summary.fault")


def _deciding(smallest):
    """Return the sentence that decides; of a late one, which aspects are wrong."""
    verdict = smallest.verdict
    if not smallest.late:
        return explain(verdict)
    wrong = [name for name, held in verdict.aspects.items() if not held]
    return say("summary.late", aspects=in_words(wrong))


def _all_right(grading):
    """Return the line that says that all which is shown is right."""
    if grading.unseen_rows:
        return say("summary.seen right")
    counted = any(NODE_COUNT in row.trees[0].aspects for row in grading.rows)
    return say("summary.all right" if counted else "summary.answers right")


def _by_hand_problem(grading):
    """Return the line that says why byhand.yaml could not be graded, if it could not."""
    by_hand = grading.by_hand
    if not (by_hand and by_hand.problem):
        return ()
    return (f"{say('graded by hand.name')}: {by_hand.problem}",)


def _hand_marks(grading):
    """Yield a Mark for each tree by hand that lost points, where they were graded."""
    by_hand = grading.by_hand
    for row in by_hand.rows if by_hand and not by_hand.problem else ():
        if row.cents < row.most_cents:
            yield Mark(say("graded by hand.name"), str(row.title), score_text(row))


def _of_edge(grading, function):
    """Return the Advice on a function that is right on all that is small, else None."""
    rows = [row for row in grading.rows if row.function == function]
    verdicts = [verdict for row in rows for verdict in row.verdicts]
    if grading.counterexample:
        verdicts.append(grading.counterexample.verdict)
    edge = edge_of(each for each in verdicts if each.task.function == function)
    return edge and Advice(f"{function}: {sentences.edge(edge)}", (), "", sure=False)


def _worth_showing(smallest):
    """Return the counterexample, None where it only shows that something is missing."""
    stub = smallest and smallest.verdict.trace.ending.error in NOT_WRITTEN
    return None if stub else smallest


def functions_that_never_returned(grading: Grading) -> dict:
    """Return function -> why it stopped, for those that returned on no tree at all.

    The reason is how its first search ended, in words that hold for hidden trees too.
    """
    reasons = {}
    for part in parts_of(grading.rows):
        traces = [verdict.trace for row in part.rows for verdict in row.verdicts]
        if not any(trace.ending.kind == RETURNED for trace in traces):
            reasons[part.function] = sentences.ending(traces[0].ending)
    return reasons


def _never_returned(grading):
    """Return a line for each reason, with the functions that stopped for it.

    What a diagnosis explains is left to it: a stub that is called by another.
    """
    by_reason = {}
    for function, reason in functions_that_never_returned(grading).items():
        if about(function, grading.diagnoses) is None:
            by_reason.setdefault(reason, []).append(function)
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _checks(grading, advice, smallest, first):
    """Return what to check: the advice's, then what is said of another function."""
    checks = [advice.check] if advice and advice.check else []
    others = (about(p.function, grading.diagnoses) for p in parts_of(grading.rows))
    checks += [
        other.lead
        for other in others
        if other and (not advice or other.lead != advice.lead) and not other.check
    ]
    stopped = functions_that_never_returned(grading)
    if not checks and smallest is None and len(stopped) < len(parts_of(grading.rows)):
        checks = [say("summary.look first", row=f"{first.number} {row_name(first)}")]
    if not checks and smallest is None:
        checks = [say("summary.begin", function=[*stopped][0])]
    return tuple(checks)


def _printed(trace):
    text = trace.text.printed.strip() if trace.text else ""
    return printable(text.splitlines()[0], WIDTH - 15) if text else ""


def _marks(rows: Iterable[Row]):
    for row in rows:
        if not row.right:
            yield Mark(row.function, row.concept, score_text(row))


def as_file(task) -> str:
    """Return a task's tree and search as the one line of a tree file."""
    tree = task.tree
    player = "max" if tree.maximizing else "min"
    line = f"root: {player}, tree: {written(lists_of(tree.root))}"
    if task.search != Search(tree.root.height, tree.maximizing):
        line += f", searches: [{asked(task.search)}]"
    return f"{{{line}}}"


def command(task) -> str:
    """Return the command that draws a student's search of the tree in my.yaml."""
    function = "" if task.function == "alphabeta" else f" --function {task.function}"
    return f"python -m gametree my.yaml{function}"


def fails_on(smallest: Counterexample) -> str:
    """Return "alphabeta fails here; it passes all 106 smaller trees"."""
    function = smallest.verdict.task.function
    return say("summary.fails", function=function, count=smallest.tried - 1)


def feedback_text(grading: Grading) -> str:
    """Return the first screen of a grading as text."""
    return summary_text(summary_of(grading))


def summary_text(summary: Summary) -> str:
    """Lay out a Summary in at most LINES lines of at most WIDTH columns.

    Where there is not room for all, marks go first, then checks, the lines around one to
    look at, then causes. What room is left goes to blank lines, from the top.
    """
    for most in ROOM:
        groups = [group for group in _groups(summary, *most) if group]
        room = LINES - sum(map(len, groups))
        if room >= 0:
            break
    blanks = [[""]] * max(0, min(room, len(groups) - 1))
    spaced = chain.from_iterable(zip_longest(groups, blanks, fillvalue=()))
    return "\n".join(chain.from_iterable(spaced))


def _groups(summary, marks, checks, most_causes, around):
    """Yield the groups of lines of the first screen."""
    head = say("summary.score", score=summary.score or say("summary.no score"))
    if summary.parts:
        head += f" ({', '.join(summary.parts)})"
    yield [head, *_wrapped(*summary.problems, then=INDENT)]  # so that none is forged
    if summary.advice:
        causes = summary.advice.causes[:most_causes]
        yield _wrapped(summary.advice.opening) + _listed(causes)
    if summary.pointer:
        yield _wrapped(summary.pointer.sentence) + _code(summary.pointer, around)
    if summary.smallest:
        yield from _example(summary)
    yield _listed(summary.checks[:checks])
    if summary.smallest:
        task = summary.smallest.verdict.task
        yield [say("summary.at home", command=command(task)), *_spec(task)]
    yield _marks_lines(summary.marks, marks)
    yield _wrapped(summary.next) if summary.next else []


def _wrapped(*texts, then=""):
    return [
        line
        for text in texts
        for line in textwrap.wrap(text, WIDTH, subsequent_indent=then)
    ]


def _code(pointer, around):
    """Return the lines to look at with so many around each; -1 leaves them out."""
    if around < 0:
        return []
    lines = pointer.near(around if len(pointer.near(0)) == 1 else 0)
    wide = len(str(lines[-1].number))
    return [
        f" {'>' if one.marked else ' '} {one.number:{wide}} {one.text}" for one in lines
    ]


def _listed(texts):
    return _wrapped(*(f"- {text}" for text in texts), then=INDENT)


def _spec(task):
    line = INDENT + as_file(task)
    return [line] if len(line) <= WIDTH else []


def _example(summary):
    smallest = summary.smallest
    verdict = smallest.verdict
    lines = [f"{fails_on(smallest)}:"]
    lines += [line for line in drawing(verdict).splitlines() if line.strip()]
    lines += _wrapped(summary.deciding, then=INDENT)
    if summary.printed:
        lines.append(say("summary.printed", line=summary.printed))
    yield lines


def _marks_lines(marks, most):
    """Return the concepts that lost points in at most so many lines."""
    if not marks:
        return []
    words, function = [], ""
    for mark in marks:
        name = f"{mark.function}: " if mark.function != function else ""
        function = mark.function
        words.append(f"{name}{mark.concept} {mark.score}".replace(" ", "\xa0"))
    for count in range(len(words), 0, -1):
        line = say("summary.lost", rows=", ".join(words[:count]))
        if count < len(words):
            line += say("summary.more rows", count=len(words) - count)
        lines = textwrap.wrap(line, WIDTH, subsequent_indent=INDENT)
        if len(lines) <= most:
            return [line.replace("\xa0", " ") for line in lines]
    return []
