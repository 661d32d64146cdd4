"""Reduce a grading to its outcome, which the books and the page of the class need.

The remark and the headlines of known mistakes are sentences for the books. All other fields
are codes and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import NamedTuple

from autograder.explaining.explanation import BLAMES_OTHERS
from autograder.grading import Grading, Guard
from autograder.scoring.scores import function_scores
from autograder.showing import wording
from autograder.showing.messages import make_advice, messages_of


class Status(Enum):
    """How far grading got; the books and the page show the value."""

    GRADED = "graded"
    PROVISIONAL = "provisional"
    NOT_LOADED = "not loaded"
    NOT_GRADABLE = "not gradable"
    GRADER_FAILED = "grader failed"
    NOT_YET = "not graded yet"
    TO_CONFIRM = "to confirm"
    NO_SUBMISSION = "no submission"


FINAL = (Status.GRADED, Status.NOT_LOADED, Status.NOT_GRADABLE)


class Outcome(NamedTuple):
    """The outcome of one submission under one kit.

    status: how far grading got.
    remark: a line for the TA on a missing or provisional score, or on stopped searches.
    diagnoses: the headlines of the diagnoses.
    cents: the score in hundredths of a point, None if the grader failed.
    parts: function -> its cents.
    lost: name of a row -> the cents lost in it.
    missing_layers: the names of the sandbox's layers that the machine lacked.
    """

    status: Status = Status.NOT_YET
    remark: str = ""
    diagnoses: Sequence[str] = ()
    cents: int | None = None
    parts: Mapping[str, int] = {}
    lost: Mapping[str, int] = {}
    missing_layers: Sequence[str] = ()


def outcome_of(grading: Grading) -> tuple[Outcome, list[str]]:
    """Return the Outcome of a Grading, and the tracebacks of internal errors."""
    guard = Guard()
    diagnoses = guard.run(_headlines, grading.explanation.diagnoses.values())
    status, remark = _status_and_remark(grading, guard)
    wrong_rows = [row for row in grading.rows if row.cents < row.max_cents]
    outcome = Outcome(
        status=status,
        remark=remark,
        diagnoses=diagnoses or [],
        cents=grading.score.cents,
        parts={score.function: score.cents for score in function_scores(grading.rows)},
        lost={row.name: row.max_cents - row.cents for row in wrong_rows},
        missing_layers=list(grading.missing_layers),
    )
    return outcome, guard.faults


def _headlines(diagnoses):
    """Return each diagnosis in a line, unless it only names a called function."""
    own = [found for found in diagnoses if found.kind not in BLAMES_OTHERS]
    leads = [make_advice(found).lead for found in own]
    return [lead.removesuffix(".") for lead in dict.fromkeys(leads)]


def _status_and_remark(grading, guard):
    if grading.refusal:
        return Status.NOT_GRADABLE, grading.refusal
    failure = grading.load_failure
    if failure is not None:
        return Status.NOT_LOADED, wording.ending(failure.ending, failure.text)
    if grading.undecided:
        of = f"{len(grading.undecided)} of {len(grading.score.results)}"
        why = grading.undecided[0].ending.reason
        return Status.PROVISIONAL, f"{of} searches were not run: {why}"
    if grading.given_up:
        return Status.GRADED, grading.given_up[0].ending.reason
    if all(result.has_returned for result in grading.score.results):
        return Status.GRADED, ""
    messages = guard.run(messages_of, grading) or {}
    sentences = chain.from_iterable(messages.values())
    return Status.GRADED, " ".join(sentences)
