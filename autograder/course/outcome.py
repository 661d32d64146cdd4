"""What the books keep of one graded submission, in a file beside its results."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from autograder.files import replace_file
from autograder.grading import Grading
from autograder.showing import sentences
from autograder.showing.advice import headline
from autograder.showing.pointer import find_pointer
from gametree.support import trace
from gametree.support.trace import Ending


class Status:
    """How far a submission came, in the words of the gradebook's column."""

    GRADED = "graded"
    NOT_SETTLED = "not settled"
    NOT_LOADED = "not loaded"
    NOT_GRADABLE = "not gradable"
    COULD_NOT_TELL = "could not tell"
    NOT_YET = "not graded yet"
    OUT_OF_DATE = "out of date"
    NO_SUBMISSION = "no submission"


REPORT, OUTCOME = "report.html", "outcome.json"  # of each submission, in its folder
EARLIER = "earlier.json"  # the last one by another kit, if there is one
CRASHED = "crashed with"
MAX_TROUBLES = 3
HOW = {
    "function missing": "not in the file",
    "NotImplementedError": "not written yet",
    trace.TIMED_OUT: "ran out of time",
    trace.OUT_OF_QUERIES: "asked without end, perhaps an endless loop",
    trace.DIED: "ended the process that ran it",
    trace.BROKE_PROTOCOL: "asked for nodes that it was not given",
    trace.NOT_RUN: "not run",
}  # error or kind of an ending -> a TA's words


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission under one kit.

    `kit` and `source` are hashes of all that it depends on. `cents` is the score in
    hundredths of a point, None where the grader could not tell; `parts` are the cents
    of each function, and of byhand.yaml; `lost` maps the names of rows, which say the
    lesson, to the cents lost; `diagnoses` are the headlines of what the code looks like,
    `line` says where to look ("line 36"), and `sure` that they explain every search of
    each wrong function. `ends` counts searches that did not return by how they ended.
    `behaviour` is the same for programs that did the same in every search, "" where all
    is right.
    """

    id: str
    kit: str
    source: str
    status: str
    reason: str = ""
    diagnoses: Sequence[str] = ()
    cents: int | None = None
    parts: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    sure: bool = False
    ends: dict[str, int] = field(default_factory=dict)
    behaviour: str = ""
    line: str = ""

    def is_of(self, kit: str, source: str) -> bool:
        """Tell whether it is of this kit and of the file as it is now, by their hashes."""
        return (self.kit, self.source) == (kit, source)

    def save(self, out: Path) -> None:
        """Keep it in the course's folder; once this returns, no crash loses it.

        The last one by another kit stays beside it.
        """
        folder, last = out / self.id, Outcome.load(out, self.id)
        if last and last.kit != self.kit:
            os.replace(folder / OUTCOME, folder / EARLIER)
        replace_file(folder / OUTCOME, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, out: Path, id: str, name: str = OUTCOME) -> Outcome | None:
        """Return what the course's folder keeps of a submission, None where nothing is."""
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            data = json.loads((out / id / name).read_bytes())
            names = {field.name for field in fields(cls)}
            return cls(**{name: data[name] for name in names & data.keys()})
        return None


def outcome_of(grading: Grading, id: str, kit: str, source: str) -> Outcome:
    """Return the Outcome of a Grading; the arguments are as in Outcome."""
    parts, by_hand = Counter(), grading.by_hand
    for row in grading.rows:
        parts[row.function] += row.cents
    if by_hand:
        parts[by_hand.name] = by_hand.cents
    rows = (*grading.rows, *(by_hand.rows if by_hand else ()))
    ends = () if grading.refusal else (one.ending for one in grading.traces)
    status, reason = _status_and_reason(grading)
    try:
        pointer = find_pointer(grading)
        own = [one for one in grading.diagnoses if one.variants or not one.others]
        diagnoses = list(dict.fromkeys(map(headline, own)))
    except Exception:  # a fault of the kit's costs nobody the points
        grading.faults.append(traceback.format_exc())
        pointer, diagnoses = None, []
    return Outcome(
        id=id,
        kit=kit,
        source=source,
        status=status,
        reason=reason,
        diagnoses=diagnoses,
        line=pointer.short if pointer else "",
        cents=grading.cents,
        parts=dict(parts),
        lost={r.name: r.max_cents - r.cents for r in rows if r.cents < r.max_cents},
        sure=is_explained(grading),
        ends=dict(Counter(in_words(end) for end in ends if end.kind != trace.RETURNED)),
        behaviour=_behaviour(grading),
    )


def is_explained(grading: Grading) -> bool:
    """Tell whether each wrong function has a diagnosis that explains all its searches."""
    wrong = {row.function for row in grading.rows if not row.right}
    exact = (one.functions for one in grading.diagnoses if one.exact)
    return bool(wrong) and wrong <= {name for names in exact for name in names}


def _behaviour(grading):
    if grading.refusal or grading.load_failure or grading.cents == grading.max_cents:
        return ""
    digest = hashlib.sha256()
    for one in grading.traces:
        number = None if one.answer.number is None else float(one.answer.number)
        seen = one.answer.kind, number, one.answer.path, one.ending.kind
        digest.update(repr((seen, one.node_count, sorted(one.visited))).encode())
    return digest.hexdigest()[:16]


def _status_and_reason(grading):
    """Return the status, and in a line what kept searches from returning, if any did."""
    if grading.refusal:
        return Status.NOT_GRADABLE, grading.refusal
    if grading.load_failure is not None:
        failed = grading.load_failure
        return Status.NOT_LOADED, sentences.ending(failed.ending, failed.text)
    left = [one.ending.reason for one in grading.traces if one.ending.undecided]
    if left:
        some = f"{len(left)} of {len(grading.traces)} searches were not run"
        return Status.NOT_SETTLED, f"{some}: {left[0]}"
    return Status.GRADED, "; ".join(_troubles(grading.traces))


def _troubles(traces):
    """Yield in a TA's words how searches ended that did not return, and where."""
    searches = Counter(one.function for one in traces)
    stopped = [one for one in traces if one.ending.kind != trace.RETURNED]
    counts = Counter((one.function, in_words(one.ending)) for one in stopped)
    alike = {}  # what is said -> the functions that it is said of
    for (function, how), count in counts.most_common():
        some = f" on {count} of {searches[function]} searches"
        said = how + some * (count < searches[function])
        alike.setdefault(said, []).append(function)
    for said, functions in [*alike.items()][:MAX_TROUBLES]:
        yield f"{', '.join(functions)}: {said}"


def in_words(ending: Ending) -> str:
    """Say in a TA's words how a search ended that did not return."""
    known = HOW.get(ending.error) or HOW.get(ending.kind)
    return known or f"{CRASHED} {ending.error or ending.kind}"
