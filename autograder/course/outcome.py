"""Store the outcome of a submission beside its results, and describe it in words.

An outcome holds codes and counts. They are put into words when the books or the page are
written. The headlines of known mistakes and the reason for a refusal are stored as
sentences, because their data is not stored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path

from autograder.files import replace_file
from autograder.grading import Grading
from autograder.judging.scores import NOT_WRITTEN
from autograder.showing import sentences
from autograder.showing.advice import headline
from autograder.showing.pointer import find_pointer
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    NOT_RUN,
    OUT_OF_QUERIES,
    RAISED,
    RETURNED,
    TIMED_OUT,
    Ending,
    Text,
)

OUTCOME = "outcome.json"  # of each submission, in its folder
EARLIER = "earlier.json"  # the last outcome by another kit, if there is one
MAX_REASONS = 3  # named in a line


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
class Stop:
    """Searches of one function that failed to return in the same way.

    function: the function's name.
    kind: the kind of their Ending.
    error: the error of their Ending, "" unless they raised.
    searches: the number of these searches.
    """

    function: str
    kind: str
    error: str
    searches: int

    @property
    def crashed(self) -> bool:
        """Whether a function that is not a stub raised an error."""
        return self.kind == RAISED and self.error not in NOT_WRITTEN


@dataclass(frozen=True)
class LoadFailure:
    """The reason why search.py could not be loaded: its Ending and Text.

    kind: the kind of the ending.
    error: the class name of the exception, or "".
    message: the text of the exception.
    line: the line of search.py that raised it, None if unknown.
    """

    kind: str
    error: str
    message: str
    line: int | None


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission under one kit.

    id: the submission's id.
    kit: the hash of the kit.
    source: the hash of the submission's files.
    status: how far grading got.
    cause: a line that says why it was not graded, or why searches were not run. It comes
        from the stage, the pool or the sandbox.
    load_failure: the reason why search.py could not be loaded, or None.
    searches: function -> number of its searches.
    stops: the ways in which searches failed to return, the most frequent first.
    undecided: the number of searches that were not run because the time was used up.
    fault_file: the file of tracebacks if a part of the explanation failed, else "".
    diagnoses: the headlines of the diagnoses.
    is_explained: whether the diagnoses explain every search of each wrong function.
    lines: the numbers of the lines that may need a change.
    cents: the score in hundredths of a point, None if the grader failed.
    parts: function, or byhand.yaml's name -> its cents.
    lost: name of a row -> the cents lost in it.
    behaviour: a hash that is equal for programs with identical searches; "" for programs
        that are correct or did not run.
    missing_layers: the names of the sandbox's layers that the machine lacked.
    """

    id: str
    kit: str
    source: str
    status: Status
    cause: str = ""
    load_failure: LoadFailure | None = None
    searches: dict[str, int] = field(default_factory=dict)
    stops: Sequence[Stop] = ()
    undecided: int = 0
    fault_file: str = ""
    diagnoses: Sequence[str] = ()
    is_explained: bool = False
    lines: Sequence[int] = ()
    cents: int | None = None
    parts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    behaviour: str = ""
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
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            data = json.loads((out / id / name).read_bytes())
            data["status"] = Status[data["status"]]
            data["stops"] = [Stop(**stop) for stop in data["stops"]]
            if data["load_failure"] is not None:
                data["load_failure"] = LoadFailure(**data["load_failure"])
            return cls(**data)
        return None


# ---- from a grading


def outcome_of(grading: Grading, id: str, kit: str, source: str) -> Outcome:
    """Return the Outcome of a Grading; the other arguments are fields of Outcome.

    If the explanation fails, the traceback is added to the grading's faults.
    """
    rows = list(grading.rows)
    parts = Counter()
    for row in grading.rows:
        parts[row.function] += row.cents
    if grading.by_hand:
        rows += grading.by_hand.rows
        parts[grading.by_hand.name] = grading.by_hand.cents
    pointer = None
    diagnoses = []
    try:
        pointer = find_pointer(grading)
        diagnoses = _headlines(grading.diagnoses)
    except Exception:  # an internal error costs no points
        grading.faults.append(traceback.format_exc())
    return Outcome(
        id=id,
        kit=kit,
        source=source,
        status=_status_of(grading),
        cause=_cause_of(grading),
        load_failure=_load_failure_of(grading),
        searches=dict(Counter(trace.function for trace in grading.traces)),
        stops=[] if grading.refusal else _stops_in(grading.traces),
        undecided=grading.undecided,
        diagnoses=diagnoses,
        is_explained=explains_all(grading),
        lines=list(pointer.marked) if pointer else [],
        cents=grading.cents,
        parts=dict(parts),
        lost={r.name: r.max_cents - r.cents for r in rows if r.cents < r.max_cents},
        behaviour=_behaviour_of(grading),
        missing_layers=list(grading.missing_layers),
    )


def _headlines(diagnoses):
    """Return the headlines, except of diagnoses that only name a called function."""
    lines = [headline(found) for found in diagnoses if found.variants or not found.others]
    return list(dict.fromkeys(lines))


def _status_of(grading):
    if grading.refusal:
        return Status.NOT_GRADABLE
    if grading.load_failure is not None:
        return Status.NOT_LOADED
    if grading.undecided:
        return Status.PROVISIONAL
    return Status.GRADED


def _cause_of(grading):
    """Return the reason for a refusal, or for the first search that was not run."""
    for trace in grading.traces:
        if trace.ending.undecided:
            return trace.ending.reason
    return grading.refusal


def _load_failure_of(grading):
    if grading.load_failure is None:
        return None
    ending = grading.load_failure.ending
    text = grading.load_failure.text or Text()
    return LoadFailure(ending.kind, ending.error, text.message, text.line)


def _stops_in(traces):
    """Return the ways in which searches failed to return, the most frequent first."""
    counts = Counter()
    for trace in traces:
        if trace.ending.kind != RETURNED:
            counts[trace.function, trace.ending.kind, trace.ending.error] += 1
    return [Stop(*way, searches) for way, searches in counts.most_common()]


def explains_all(grading: Grading) -> bool:
    """Tell whether each wrong function has a diagnosis that explains all its searches."""
    wrong = {row.function for row in grading.rows if not row.is_right}
    exact = [diagnosis.functions for diagnosis in grading.diagnoses if diagnosis.exact]
    return bool(wrong) and wrong <= set().union(*exact)


def _behaviour_of(grading):
    """Return a hash of the program's searches, "" if it is correct or did not run."""
    if grading.refusal or grading.load_failure or grading.cents == grading.max_cents:
        return ""
    digest = hashlib.sha256()
    for trace in grading.traces:
        answer = trace.answer
        number = None if answer.number is None else float(answer.number)
        seen = (answer.kind, number, answer.path, trace.ending.kind)
        digest.update(repr((seen, trace.node_count, sorted(trace.visited))).encode())
    return digest.hexdigest()[:16]


# ---- in words for a TA

WORDS = {
    "function missing": "not in the file",
    "NotImplementedError": "not written yet",
    TIMED_OUT: "timed out",
    OUT_OF_QUERIES: "too many requests for nodes, perhaps an endless loop",
    DIED: "ended its process",
    BROKE_PROTOCOL: "requested nodes that it had not received",
    NOT_RUN: "not run",
}  # error or kind of an ending -> its description


def reason_of(outcome: Outcome) -> str:
    """Return a line that says why there is no final score, or why searches stopped.

    The line is "" if all searches returned.
    """
    fault = ""
    if outcome.fault_file:
        fault = f"not explained because of an internal error; see {outcome.fault_file}"
    return join_reasons(_reason_by_status(outcome), fault)


def join_reasons(*reasons: str) -> str:
    """Join the reasons that are not empty into one line."""
    return "; ".join(filter(None, reasons))


def _reason_by_status(outcome):
    if outcome.status == Status.COULD_NOT_TELL:
        return f"{outcome.cause}, twice; grade it again with ONLY={outcome.id}"
    if outcome.status == Status.NOT_LOADED:
        failure = outcome.load_failure
        text = Text(message=failure.message, line=failure.line)
        end = Ending(failure.kind, failure.error, loading=True)
        return sentences.ending(end, text)
    if outcome.status == Status.PROVISIONAL:
        searches = sum(outcome.searches.values())
        return f"{outcome.undecided} of {searches} searches were not run: {outcome.cause}"
    if outcome.status == Status.GRADED:
        return "; ".join(_stops_in_words(outcome))
    return outcome.cause


def _stops_in_words(outcome):
    """Return lines on the most frequent ways in which searches stopped."""
    functions_of = {}  # description -> functions
    for stop in outcome.stops:
        words = WORDS.get(stop.error) or WORDS.get(stop.kind)
        how = words or f"crashed with {stop.error or stop.kind}"
        searches = outcome.searches[stop.function]
        if stop.searches < searches:
            how += f" on {stop.searches} of {searches} searches"
        functions_of.setdefault(how, []).append(stop.function)
    lines = [f"{', '.join(names)}: {how}" for how, names in functions_of.items()]
    return lines[:MAX_REASONS]
