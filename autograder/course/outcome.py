"""Store the outcome of a submission beside its results.

The remark and the headlines of known mistakes are stored as sentences for the books. All
other fields are codes and counts.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path

from autograder.explaining.explanation import BLAMES_OTHERS
from autograder.grading import Grading, Guard
from autograder.ground.files import replace_file
from autograder.scoring.scores import function_scores, wrong_functions
from autograder.showing import wording
from autograder.showing.messages import make_advice, messages_of

OUTCOME = "outcome.json"  # of each submission, in its folder


class Status(Enum):
    """How far grading got; the books and the page show the value."""

    GRADED = "graded"
    PROVISIONAL = "provisional"
    NOT_LOADED = "not loaded"
    NOT_GRADABLE = "not gradable"
    GRADER_FAILED = "grader failed"
    NOT_YET = "not graded yet"
    SUBMITTED = "submitted"  # for make match, which does not look for a grade
    TO_CONFIRM = "to confirm"
    NO_SUBMISSION = "no submission"


FINAL = (Status.GRADED, Status.NOT_LOADED, Status.NOT_GRADABLE)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission under one kit.

    key: the hash of the kit and of the submission's file.
    status: how far grading got.
    remark: a line for the TA on a missing or provisional score, or on stopped searches.
    diagnoses: the headlines of the diagnoses.
    is_unexplained: whether no diagnosis explains all searches of a wrong function.
    cents: the score in hundredths of a point, None if the grader failed.
    parts: function -> its cents.
    lost: name of a row -> the cents lost in it.
    missing_layers: the names of the sandbox's layers that the machine lacked.
    """

    key: str = ""
    status: Status = Status.NOT_YET
    remark: str = ""
    diagnoses: Sequence[str] = ()
    is_unexplained: bool = False
    cents: int | None = None
    parts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    missing_layers: list[str] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        """Store the outcome durably in the folder of its submission."""
        data = asdict(self)
        data["status"] = self.status.name
        replace_file(folder / OUTCOME, json.dumps(data, indent=1) + "\n")

    @classmethod
    def load(cls, folder: Path, key: str) -> Outcome:
        """Return the stored Outcome of a submission.

        It is "not graded yet" if none is stored with this key, or if another version of
        this class stored it.
        """
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            data = json.loads((folder / OUTCOME).read_bytes())
            data["status"] = Status[data["status"]]
            stored = cls(**data)
            if stored.key == key:
                return stored
        return cls()


def outcome_of(grading: Grading, key: str) -> tuple[Outcome, list[str]]:
    """Return the Outcome of a Grading, and the tracebacks of internal errors.

    key: the field of Outcome.
    """
    guard = Guard()
    diagnoses = guard.run(_headlines, grading.explanation.diagnoses)
    status, remark = _status_and_remark(grading, guard)
    outcome = Outcome(
        key=key,
        status=status,
        remark=remark,
        diagnoses=diagnoses or [],
        is_unexplained=is_unexplained(grading),
        cents=grading.cents,
        parts={score.function: score.cents for score in function_scores(grading.rows)},
        lost={r.name: r.max_cents - r.cents for r in grading.rows if r.cents < r.max_cents},
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
        of = f"{len(grading.undecided)} of {len(grading.results)}"
        why = grading.undecided[0].ending.reason
        return Status.PROVISIONAL, f"{of} searches were not run: {why}"
    if grading.given_up:
        return Status.GRADED, grading.given_up[0].ending.reason
    return Status.GRADED, "; ".join(guard.run(describe_stops, grading) or ())


def describe_stops(grading: Grading) -> list[str]:
    """Return the student's sentences on the functions if a search did not return."""
    if all(result.has_returned for result in grading.results):
        return []
    return [message.text.removesuffix(".") for message in messages_of(grading)]


def is_unexplained(grading: Grading) -> bool:
    """Tell whether no diagnosis explains all searches of a wrong function."""
    wrong = {score.function for score in wrong_functions(grading.rows)}
    explained = {found.function for found in grading.explanation.diagnoses}
    return bool(wrong - explained)
