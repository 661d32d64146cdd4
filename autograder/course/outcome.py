"""Store the outcome of a submission beside its results.

The reason and the headlines of known mistakes are stored as sentences for the books. All
other fields are codes and counts.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path

from autograder.grading import Grading
from autograder.ground.files import load_data, replace_file
from autograder.showing import wording
from autograder.showing.messages import find_pointer, headline
from gametree.support.trace import RETURNED, Trace

OUTCOME = "outcome.json"  # of each submission, in its folder
EARLIER = "earlier.json"  # the last outcome by another kit, if there is one


class Status(Enum):
    """How far grading got; the books and the page show the value."""

    GRADED = "graded"
    PROVISIONAL = "provisional"
    NOT_LOADED = "not loaded"
    NOT_GRADABLE = "not gradable"
    COULD_NOT_TELL = "grader failed"
    NOT_YET = "not graded yet"
    OUT_OF_DATE = "out of date"
    NO_SUBMISSION = "no submission"


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission under one kit.

    id: the submission's id.
    kit: the hash of the kit.
    source: the hash of the submission's files.
    status: how far grading got.
    reason: a line about a missing or provisional score, or about stopped searches.
    failures: the ways in which searches failed to return, each once. A way is the error of
        an Ending, or its kind if there is no error.
    diagnoses: the headlines of the diagnoses.
    is_unexplained: whether no diagnosis explains all searches of a wrong function.
    lines: the numbers of the lines that may need a change.
    cents: the score in hundredths of a point, None if the grader failed.
    parts: function -> its cents.
    lost: name of a row -> the cents lost in it.
    missing_layers: the names of the sandbox's layers that the machine lacked.
    """

    id: str
    kit: str = ""
    source: str = ""
    status: Status = Status.NOT_YET
    reason: str = ""
    failures: Sequence[str] = ()
    diagnoses: Sequence[str] = ()
    is_unexplained: bool = False
    lines: Sequence[int] = ()
    cents: int | None = None
    parts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    missing_layers: list[str] = field(default_factory=list)

    def is_of(self, kit: str, source: str) -> bool:
        """Tell whether the outcome belongs to the kit and file with these hashes."""
        return (self.kit, self.source) == (kit, source)

    def save(self, out: Path) -> None:
        """Store the outcome durably in the course's folder.

        The last outcome of another kit is preserved in a second file.
        """
        folder = out / self.id
        last = Outcome.load(out, self.id)
        if last and last.kit != self.kit:
            os.replace(folder / OUTCOME, folder / EARLIER)
        data = asdict(self)
        data["status"] = self.status.name
        replace_file(folder / OUTCOME, json.dumps(data, indent=1) + "\n")

    @classmethod
    def load(cls, out: Path, id: str, name: str = OUTCOME) -> Outcome | None:
        """Return the stored Outcome of a submission.

        Returns None if none is stored, or if another version of this class stored it.
        """
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            data = json.loads((out / id / name).read_bytes())
            data["status"] = Status[data["status"]]
            return cls(**data)
        return None


def outcome_of(grading: Grading, id: str, kit: str, source: str) -> Outcome:
    """Return the Outcome of a Grading; the other arguments are fields of Outcome.

    If the explanation fails, the traceback is added to the grading's faults.
    """
    parts = Counter()
    for row in grading.rows:
        parts[row.function] += row.cents
    explanation = grading.explanation
    pointer = grading.faults.guarded(find_pointer, explanation)
    diagnoses = grading.faults.guarded(_headlines, explanation.diagnoses)
    status, reason = _status_and_reason(grading)
    return Outcome(
        id=id,
        kit=kit,
        source=source,
        status=status,
        reason=reason,
        failures=sorted({_way_of(trace) for trace in grading.traces} - {RETURNED}),
        diagnoses=diagnoses or [],
        is_unexplained=is_unexplained(grading),
        lines=list(pointer.marked) if pointer else [],
        cents=grading.cents,
        parts=dict(parts),
        lost={r.name: r.max_cents - r.cents for r in grading.rows if r.cents < r.max_cents},
        missing_layers=list(grading.missing_layers),
    )


def _headlines(diagnoses):
    """Return the headlines, except of diagnoses that only name a called function."""
    lines = [headline(found) for found in diagnoses if not found.others]
    return list(dict.fromkeys(lines))


def _status_and_reason(grading):
    if grading.refusal:
        return Status.NOT_GRADABLE, grading.refusal
    failure = grading.load_failure
    if failure is not None:
        return Status.NOT_LOADED, wording.ending(failure.ending, failure.text)
    if grading.undecided:
        of = f"{len(grading.undecided)} of {len(grading.traces)}"
        why = grading.undecided[0].ending.reason
        return Status.PROVISIONAL, f"{of} searches were not run: {why}"
    return Status.GRADED, describe_stops(grading.traces)


def _way_of(trace):
    """Return the way in which a search ended, in one word."""
    return trace.ending.error or trace.ending.kind


def is_unexplained(grading: Grading) -> bool:
    """Tell whether no diagnosis explains all searches of a wrong function."""
    wrong = {row.function for row in grading.rows if not row.is_right}
    explained = [found.functions for found in grading.explanation.diagnoses]
    return bool(wrong.difference(*explained))


# ---- in words for a TA

# Way in which a search stopped -> its description; and -> the name of a group of the page.
WORDS, GROUP_OF = load_data("stops.yaml", __file__)


def describe_stops(traces: Sequence[Trace]) -> str:
    """Return a line on the most frequent ways in which searches failed to return."""
    searches = Counter(trace.function for trace in traces)
    stopped = Counter()
    for trace in traces:
        way = _way_of(trace)
        if way != RETURNED:
            how = WORDS.get(way, f"crashed with {way}")
            stopped[trace.function, how] += 1
    functions_of = {}  # description -> functions
    for (function, how), count in stopped.most_common():
        if count < searches[function]:
            how += f" on {count} of {searches[function]} searches"
        functions_of.setdefault(how, []).append(function)
    lines = [f"{', '.join(names)}: {how}" for how, names in functions_of.items()]
    return "; ".join(lines)
