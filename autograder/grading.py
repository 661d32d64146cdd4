"""Grade one submission: run it, judge it, score it. Nothing is shown or written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.judging.scores import VISIBLE, Row, make_rows
from autograder.judging.verdict import Verdict, not_run, verdict_on
from autograder.kit import Kit, stage_as_taught
from autograder.rubric import LINE, MISTAKE
from autograder.sandbox import NotGradable, Sandbox, Session, Zygote, stage
from autograder.sandbox.submission import BYHAND_YAML
from autograder.tasks import RunPair, Task
from gametree.trace import TIMED_OUT, Trace

# What only a wrong submission, or the extra credit, needs is imported there.
if TYPE_CHECKING:
    from autograder.byhand import ByHand
    from autograder.counterexample import Counterexample
    from autograder.localisation import Localisation
    from autograder.mistakes.diagnosis import Diagnosis
    from autograder.ordering import Ordering


@dataclass(frozen=True)
class Grading:
    """What grading one submission found.

    `rows` are all rows in order. `refusal` is the one line why nothing could be
    run (no search.py), else "". `load_failure` is the trace of a search that never
    began since search.py could not be loaded, else None; `slow_to_load` says that it
    took long. `layers` is (held, missing) of the sandbox.
    A wrong submission has `diagnoses`, a tuple that may be empty, and perhaps a
    `counterexample` and, for the same function, a `localisation`, of which `hints` (of
    the rubric) says how much is shown; `convention` is the cutoff's.
    `ordering` is the extra credit's outcome, `by_hand` that of
    byhand.yaml, None where they are off. Where it is the part that students see at once,
    `unseen_rows` are left out.
    """

    rows: tuple[Row, ...]
    refusal: str = ""
    load_failure: Trace | None = None
    slow_to_load: bool = False
    layers: tuple[tuple[str, ...], tuple[tuple[str, str], ...]] = ((), ())
    diagnoses: tuple[Diagnosis, ...] = ()
    counterexample: Counterexample | None = None
    localisation: Localisation | None = None
    hints: str = LINE
    convention: str = "equality"
    ordering: Ordering | None = None
    by_hand: ByHand | None = None
    unseen_rows: int = 0

    @property
    def flawless(self) -> bool:
        """Whether all is right, and there is nothing else to tell."""
        problems = self.refusal, self.load_failure, self.slow_to_load
        others = self.ordering, self.by_hand
        return not any(problems + others) and all(row.right for row in self.rows)

    @property
    def traces(self) -> list[Trace]:
        """The first run of every search, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def seen(self) -> Grading:
        """The part that students see at once: neither rows nor points of the others."""
        rows = tuple(row for row in self.rows if row.visibility == VISIBLE)
        return replace(self, rows=rows, unseen_rows=len(self.rows) - len(rows))

    @property
    def cents(self) -> int:
        """The total score in hundredths of a point."""
        apart = [part.cents for part in (self.ordering, self.by_hand) if part]
        return sum(row.cents for row in self.rows) + sum(apart)

    @property
    def most_cents(self) -> int:
        """The most that could be had without extra credit, in hundredths of a point."""
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
    road = _Road(Session(sandbox, source, sealed), kit.witnesses)
    public = [task for task in kit.tasks if not task.hidden]
    hidden = [task for task in kit.tasks if task.hidden]
    # In this order: what a submission says is kept until it has seen a hidden tree.
    shown = road.decide(public)
    seen = _seen(kit, shown.verdicts)  # all else that is said rests on these alone
    counterexample = road.smallest_wrong_tree(kit, seen)
    localisation = _localisation(kit, road.session, seen, counterexample)
    unseen = road.decide(hidden)
    if unseen.afresh and not shown.afresh:
        shown = road.afresh(public)
    runs, verdicts = shown.runs + unseen.runs, shown.verdicts + unseen.verdicts
    seen = _seen(kit, verdicts)
    grading = Grading(
        rows=make_rows(kit.rows, verdicts, kit.rubric),
        load_failure=next((run.first for run in runs if run.first.ending.loading), None),
        slow_to_load=road.session.slow_to_load,
        layers=sandbox.layers,
        counterexample=counterexample or road.smallest_wrong_tree(kit, seen),
        hints=kit.rubric.hints,
        convention=kit.rubric.cutoff,
        ordering=_ordering(kit, road.session),
    )
    if grading.load_failure or _all_right(seen) or not kit.rubric.allows(MISTAKE):
        return grading
    from autograder.answered import clues_of
    from autograder.mistakes.diagnosis import diagnose

    clues = clues_of(
        road.session, source, kit.reference, kit.ladder, seen, grading.counterexample
    )
    runs = [None if id(t) in kit.unseen else run for t, run in zip(kit.tasks, runs)]
    diagnoses = diagnose(kit.library, runs, seen, clues)
    if localisation and _rests_on_others(localisation.function, diagnoses):
        localisation = None
    return replace(grading, diagnoses=diagnoses, localisation=localisation)


def _seen(kit, verdicts):
    """Return the verdicts of rows that students see at once."""
    return [verdict for verdict in verdicts if id(verdict.task) not in kit.unseen]


def _rests_on_others(function, diagnoses):
    """Tell whether a function is right but for what it calls: no line of it is wrong."""
    return any(function in one.functions and one.others for one in diagnoses)


def _localisation(kit, session, verdicts, counterexample):
    """Return the Localisation of what is wrong on public trees, if it may be told.

    None once a hidden tree was run: a line that a submission chose could speak of it.
    """
    if counterexample is None or session.sealed or not kit.rubric.allows(LINE):
        return None
    from autograder.localisation import find_line

    return find_line(session, kit.ladder, kit.rubric.cutoff, verdicts, counterexample)


@dataclass(frozen=True)
class _Decided:
    """The runs that decide on some tasks, with their verdicts, in the tasks' order.

    `afresh` says that each tree had a process of its own.
    """

    tasks: list[Task]
    runs: list[RunPair]
    afresh: bool = False

    @cached_property
    def verdicts(self) -> list[Verdict]:
        return [verdict_on(task, pair) for task, pair in zip(self.tasks, self.runs)]

    @property
    def right(self) -> bool:
        return len(self.runs) == len(self.tasks) and _all_right(self.verdicts)


class _Road:
    """How runs decide on one submission; SECURITY.md has the argument.

    Everything is run once, in one process. If all of it is right, and a few trees are right
    afresh, that decides. Of hidden trees, which are not shown, a second process decides as
    well that comes to the very same in the opposite order. Else each tree is run afresh.
    """

    def __init__(self, session, witnesses):
        self.session = session
        self.witnesses = witnesses
        self._timeouts = Counter()
        self._sought = set()  # functions for which the smallest wrong tree was sought

    def decide(self, tasks):
        """Return what decides on these tasks, all public or all hidden."""
        together = self._together(tasks)
        return together if self._stands(together) else self.afresh(tasks)

    def afresh(self, tasks):
        """Return what decides where each tree is run afresh, and each search twice."""
        return _Decided(tasks, self.session.run_afresh(tasks, self._timeouts), afresh=True)

    def smallest_wrong_tree(self, kit, verdicts):
        """Return the Counterexample of the first function that is found wrong, or None."""
        verdicts = [v for v in verdicts if v.task.function not in self._sought]
        if _all_right(verdicts):
            return None
        from autograder.counterexample import find_counterexample

        self._sought |= {v.task.function for v in verdicts if not v.right}
        return find_counterexample(self.session, kit.ladder, verdicts)

    def _together(self, tasks):
        """Run each task once, in one process, as far as they may decide."""
        runs = []
        with closing(self.session.run_together(tasks)) as traces:
            for task, trace in zip(tasks, traces):
                if _needs_its_own_process(task, trace):
                    break
                runs.append(RunPair(trace))
        return _Decided(tasks, runs)

    def _stands(self, together):
        """Tell whether runs in one process decide."""
        if len(together.runs) < len(together.tasks):
            return False
        if self.session.out_of_time():
            return True
        agreed = together.right or self._same_backwards(together)
        return agreed and self._borne_out(together)

    def _same_backwards(self, together):
        """Tell whether each search goes the same where those after it come before it."""
        backwards = self._together(together.tasks[::-1]).runs[::-1]
        return len(backwards) == len(together.runs) and all(
            _same(one.first, other.first) for one, other in zip(together.runs, backwards)
        )

    def _borne_out(self, together):
        """Tell whether the witnesses are right afresh, or do what they did together."""
        of_task = {id(verdict.task): verdict for verdict in together.verdicts}
        few = [task for task in together.tasks if task.tree.name in self.witnesses]
        return all(
            verdict_on(task, pair).right
            if of_task[id(task)].right
            else all(_same(run, of_task[id(task)].trace) for run in pair.both)
            for task, pair in zip(few, self.session.run_afresh(few))
        )


def _needs_its_own_process(task, trace):
    """Tell whether a run must be repeated afresh: it is to be shown, or took too long."""
    if task.hidden:
        return trace.ending.kind == TIMED_OUT
    printed = trace.text is not None and trace.text.printed
    return printed or not verdict_on(task, RunPair(trace)).right


def _same(one, other):
    ends = one.answer, one.ending
    return ends == (other.answer, other.ending) and one.events == other.events


def _all_right(verdicts):
    return all(verdict.right for verdict in verdicts)


def grade_path(kit: Kit, path: Path, zygote: Zygote | None = None) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none.

    `zygote` may be one that was begun already.
    """
    try:
        source = stage_as_taught(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    with Sandbox(kit.rubric.limits, zygote=zygote) as sandbox:
        return grade(kit, source, sandbox)


def with_by_hand(
    grading: Grading, kit: Kit, sheet: bytes | str, ids: Iterable[str] | None
) -> Grading:
    """Return a grading with what byhand.yaml earns; arguments as in grade_by_hand()."""
    from autograder.byhand import grade_by_hand

    graded = grade_by_hand(sheet, ids, kit.rubric.by_hand_cents, kit.reference)
    return replace(grading, by_hand=graded)


def sheet_in(path: Path) -> bytes | str:
    """Return the bytes of a submission's byhand.yaml, or the line that says why not."""
    try:
        return stage(path, BYHAND_YAML).source
    except NotGradable as reason:
        return str(reason)


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    verdicts = [not_run(task, reason) for task in kit.tasks]
    rows = make_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason)


def _ordering(kit, session):
    if not any(kit.rubric.extra_cents.values()):
        return None
    from autograder.ordering import FUNCTION, judge_ordering, ordering_tasks

    most_cents = kit.rubric.extra_cents[FUNCTION]
    hidden = [t for t in kit.tasks if t.tree.name not in kit.public_names]
    tasks = ordering_tasks(kit.reference, hidden)
    return judge_ordering(tasks, session.run_afresh(tasks), most_cents)
