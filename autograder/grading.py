"""Grade one submission: run it, judge it, score it. Nothing is shown or written.

The steps are the same for every submission. Each public search is run once, in order. If
any is wrong, it is explained on public and small trees: the smallest tree, the line, state
that is kept. Then each hidden search is run once, in order. Everything that students read
is found before the first hidden search, except the smallest tree if only hidden ones fail.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.judging.scores import VISIBLE, Row, by_loss, make_rows
from autograder.kit import Kit, as_taught
from autograder.rubric import LINE, MISTAKE
from autograder.sandbox import NotGradable, Sandbox, Session, Zygote, stage
from autograder.sandbox.submission import BYHAND_YAML
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import NOT_RUN, Answer, Ending, Text, Trace

if TYPE_CHECKING:  # a right submission needs none of them, and they take 20 ms to import
    from autograder.byhand import ByHand
    from autograder.counterexample import Counterexample, Kept
    from autograder.localisation import Localisation
    from autograder.mistakes.diagnosis import Diagnosis
    from autograder.mistakes.reading import Reading

MOST_FOR_HINTS = 0.25  # of a submission's time
SPARE = 1.5  # times the seconds that the hidden trees seem to need are left for them


@dataclass(frozen=True)
class Grading:
    """What grading one submission found.

    `rows` are all rows in order. `refusal` is the one line why nothing could be
    run (no search.py), else "". `load_failure` is the trace of a search that never
    began since search.py could not be loaded, else None; `slow_to_load` says that it
    took long. `layers` is (held, missing) of the sandbox.
    A wrong submission has `diagnoses`, a tuple that may be empty, and perhaps a
    `counterexample` and, for the same function, a `localisation`, of which `hints` (of
    the rubric) says how much is shown. `kept` has what a function keeps from search to
    search, `reading` what the text shows by itself, None where it was not read. `note`
    says in a line what should be known of the file. `faults` are tracebacks of the kit's
    own, where a part of the explanation could not be made.
    `by_hand` is the outcome of byhand.yaml, None where it is off. Where it is the part that
    students see at once, `unseen_rows` are left out.
    """

    rows: tuple[Row, ...]
    refusal: str = ""
    load_failure: Trace | None = None
    slow_to_load: bool = False
    layers: tuple[tuple[str, ...], tuple[tuple[str, str], ...]] = ((), ())
    diagnoses: tuple[Diagnosis, ...] = ()
    counterexample: Counterexample | None = None
    localisation: Localisation | None = None
    kept: tuple[Kept, ...] = ()
    reading: Reading | None = None
    note: str = ""
    faults: list[str] = field(default_factory=list)
    hints: str = LINE
    by_hand: ByHand | None = None
    unseen_rows: int = 0

    @property
    def flawless(self) -> bool:
        """Whether all is right, and there is nothing else to tell."""
        others = self.load_failure, self.slow_to_load, self.by_hand, self.note
        return not (self.refusal or any(others)) and all(row.right for row in self.rows)

    @property
    def traces(self) -> list[Trace]:
        """The run of every search, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def undecided(self) -> int:
        """How many searches were not run since the time was used up."""
        return sum(trace.ending.undecided for trace in self.traces)

    @property
    def seen(self) -> Grading:
        """The part that students see at once: neither rows nor points of the others."""
        rows = tuple(row for row in self.rows if row.visibility == VISIBLE)
        return replace(self, rows=rows, unseen_rows=len(self.rows) - len(rows))

    @property
    def cents(self) -> int:
        """The total score in hundredths of a point."""
        by_hand = self.by_hand.cents if self.by_hand else 0
        return sum(row.cents for row in self.rows) + by_hand

    @property
    def most_cents(self) -> int:
        """The most that could be had, in hundredths of a point."""
        by_hand = self.by_hand.most_cents if self.by_hand else 0
        return sum(row.most_cents for row in self.rows) + by_hand


def grade(
    kit: Kit, source: bytes, sandbox: Sandbox | None = None, sealed: bool = False
) -> Grading:
    """Grade the bytes of a search.py.

    `sandbox` may be one that is open already. Where `sealed`, nothing is kept of what
    the submission worded, on public trees neither.
    """
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox, sealed)
    session = Session(sandbox, source, sealed)
    hints = _Hints(kit, session)
    public = _judged(session, [task for task in kit.tasks if not task.hidden])
    hints.made(hints.explain, public)
    verdicts = public + _judged(session, [task for task in kit.tasks if task.hidden])
    shown = verdicts if kit.rubric.visibility == VISIBLE else public
    hints.made(hints.explain_late, shown)
    first = verdicts[0].trace if verdicts else None
    failure = first if first and first.ending.loading else None
    if sealed and failure and failure.ending.error == "SyntaxError":
        # by a worker that runs nothing of it: what runs could tell of others' hidden trees
        failure = replace(failure, text=Text(line=hints.reading.line))
    return Grading(
        rows=make_rows(kit.rows, verdicts, kit.rubric),
        load_failure=failure,
        slow_to_load=session.slow_to_load,
        layers=sandbox.zygote.layers,
        diagnoses=hints.diagnoses,
        counterexample=hints.counterexample,
        localisation=hints.localisation,
        kept=hints.kept,
        reading=hints.shown,
        faults=hints.faults,
        hints=kit.rubric.hints,
    )


def _judged(session, tasks):
    return [judge(task, trace) for task, trace in zip(tasks, session.run(tasks))]


class _Hints:
    """Explains a wrong submission: all that is found out beside its points.

    It runs on public and small trees, in a part of the submission's time that the hidden
    trees do not need. A fault of the kit in here is kept, and costs nobody a point.
    """

    def __init__(self, kit: Kit, session: Session):
        self.kit, self.session = kit, session
        self.counterexample = self.localisation = None
        self.kept, self.diagnoses, self.faults = (), (), []
        self.shown = None  # the reading, where students may be told of it

    @cached_property
    def reading(self) -> Reading:
        """What the submission's text shows; nothing where that could not be found."""
        from autograder.mistakes.reading import Reading

        return self.made(reading_of, self.session) or Reading()

    def explain(self, public: Sequence[Verdict]) -> None:
        """Find the smallest tree, what is kept and the line, if a public tree is wrong."""
        public = _run(public)
        if not _to_be_explained(public):
            return
        from autograder.counterexample import kept_by

        with self._timed(public):
            self.kept = self.made(kept_by, self.session, public) or ()
            self._find_smallest(public)
            if self.counterexample and self.kit.rubric.allows(LINE):
                from autograder.localisation import find_line

                self.localisation = self.made(
                    find_line, self.session, self.kit.ladder, self.kit.rubric.cutoff,
                    public, self.counterexample,
                )  # fmt: skip

    def explain_late(self, verdicts: Sequence[Verdict]) -> None:
        """Find the diagnosis, and the smallest tree where only hidden ones are wrong."""
        verdicts = _run(verdicts)
        if not _to_be_explained(verdicts):
            return
        if all(verdict.right for verdict in verdicts if not verdict.task.hidden):
            with self._timed(verdicts):
                self._find_smallest(verdicts)
        if not self.kit.rubric.allows(MISTAKE):
            return
        from autograder.mistakes.diagnosis import Clues, diagnose

        self.shown = self.reading
        clues = Clues(self.kept, self.reading, self.counterexample, self.kit.ladder)
        self.diagnoses = self.made(diagnose, self.kit.library, verdicts, clues) or ()
        self._drop_line_of_others()

    def _find_smallest(self, verdicts):
        from autograder.counterexample import Kept, find_counterexample

        order = by_loss(self.kit.rubric, verdicts, self.reading.calls)
        found = self.made(
            find_counterexample, self.session, self.kit.ladder, verdicts, self.kept, order
        )
        if isinstance(found, Kept):
            self.kept = *self.kept, found
        else:
            self.counterexample = found

    def _drop_line_of_others(self):
        """Tell no line of a function that may be right but for what it calls."""
        line = self.localisation
        if line and any(line.function in d.functions and d.others for d in self.diagnoses):
            self.localisation = None

    def _timed(self, verdicts):
        """Return a context with the time that there is for hints.

        It leaves what hidden trees need at the pace of these verdicts, by search or query.
        """
        done, left = len(verdicts), [t for t in self.kit.tasks if t.hidden]
        if self.session.hidden_seen:
            left = []
        queries = 1 + sum(len(verdict.trace.events) for verdict in verdicts)
        still = sum(len(task.expected.events) for task in left)
        share = max(len(left) / done, still / queries)
        needed = SPARE * share * self.session.seconds_spent()
        most = MOST_FOR_HINTS * self.kit.rubric.limits.total_seconds
        seconds = min(most, max(0.0, self.session.seconds_left() - needed))
        return self.session.limited(seconds)

    def made(self, make: Callable, *arguments):
        """Return what make() makes of the arguments; None, and keep why, if it fails."""
        try:
            return make(*arguments)
        except Exception:
            self.faults.append(traceback.format_exc())
            return None


def reading_of(session: Session) -> Reading:
    """Return what a submission's text shows, found in a worker that runs nothing of it."""
    from autograder.mistakes import reading

    arguments = {name: one.arguments for name, one in FUNCTIONS.items()}
    return reading.reading_from(session.use_tool(reading, arguments), arguments)


def _run(verdicts):
    """Return the verdicts on searches that were run: nothing is known of the others."""
    return [verdict for verdict in verdicts if verdict.was_run]


def _to_be_explained(verdicts):
    """Tell whether something is wrong with a program that could be loaded."""
    loading = any(verdict.trace.ending.loading for verdict in verdicts)
    return not loading and not all(verdict.right for verdict in verdicts)


def grade_path(kit: Kit, path: Path, zygote: Zygote | None = None) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none.

    `zygote` may be one that was begun already.
    """
    try:
        staged = stage(path)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    source = as_taught(staged.source, path, kit.rubric.cutoff, kit.root)
    with Sandbox(kit.rubric.limits, zygote=zygote) as sandbox:
        return replace(grade(kit, source, sandbox), note=staged.note)


def with_by_hand(
    grading: Grading, kit: Kit, sheet: bytes | str, ids: Iterable[str] | None
) -> Grading:
    """Return a grading with what byhand.yaml earns; arguments as in grade_by_hand()."""
    from autograder.byhand import grade_by_hand

    graded = grade_by_hand(sheet, ids, kit.rubric.by_hand_cents, kit.reference)
    return replace(grading, by_hand=graded)


def sheet_in(path: Path) -> bytes:
    """Return the bytes of a submission's byhand.yaml, or the line that says why not."""
    try:
        return stage(path, BYHAND_YAML).source
    except NotGradable as reason:
        return str(reason)


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    ending = Ending(NOT_RUN, reason=reason)
    verdicts = [
        judge(task, Trace(task.function, task.search, [], Answer(), ending))
        for task in kit.tasks
    ]
    rows = make_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason)
