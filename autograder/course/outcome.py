"""What the books keep of one graded submission: plain data, a line of the ledger."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from autograder.sandbox import NotGradable
from autograder.showing import sentences
from autograder.showing.summary import headline
from gametree.functions import FUNCTIONS
from gametree.trace import NOT_RUN, RAISED, RETURNED

GRADED = "graded"
NOT_LOADED = "not loaded"
NOT_GRADABLE = "not gradable"
COULD_NOT_TELL = "could not tell"
NOT_YET = "not graded yet"
OUT_OF_DATE = "out of date"
UNGRADED = (COULD_NOT_TELL, NOT_GRADABLE, NOT_LOADED)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission under one kit.

    `kit` and `source` are content hashes. `cents` is the score in hundredths of a
    point, None where the grader could not tell; `parts` are the cents of each
    function; `lost` maps the names of rows, which say the lesson, to the cents lost;
    `diagnoses` are the headlines of what the code looks like.
    """

    id: str
    kit: str
    source: str
    status: str
    reason: str = ""
    diagnoses: tuple = ()
    cents: int | None = None
    parts: dict = field(default_factory=dict)
    lost: dict = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def key(self):
        """What the outcome depends on; another key asks for another grading."""
        return self.kit, self.source


def source_and_hash(submission):
    """Return (bytes or None, refusal or "", hash of whichever it is)."""
    try:
        source = submission.stage()
    except NotGradable as reason:
        refusal = str(reason)
        return None, refusal, hashlib.sha256(b"refused\0" + refusal.encode()).hexdigest()
    return source, "", hashlib.sha256(b"source\0" + source).hexdigest()


def outcome_of(grading, id, kit, source, seconds):
    """Return the Outcome of a Grading."""
    parts, lost = Counter(), Counter()
    for row in grading.rows:
        parts[row.function] += row.cents
        lost[row.name] += row.most_cents - row.cents
    return Outcome(
        id=id,
        kit=kit,
        source=source,
        status=status_of(grading),
        reason=reason_of(grading),
        diagnoses=diagnoses_of(grading),
        cents=grading.cents,
        parts={function: parts[function] for function in FUNCTIONS},
        lost={name: cents for name, cents in lost.items() if cents},
        seconds=round(seconds, 3),
    )


def status_of(grading):
    """Return the status: whether there was anything to run, and whether it loaded."""
    if grading.refusal:
        return NOT_GRADABLE
    return NOT_LOADED if grading.load_failure is not None else GRADED


def reason_of(grading):
    """Say in a line what kept searches from returning, or "" where all returned."""
    if grading.refusal:
        return grading.refusal
    if grading.load_failure is not None:
        return one_line(sentences.ending(grading.load_failure, public=True))
    traces = grading.traces
    endings = Counter(_kind(t.ending) for t in traces if t.ending.kind != RETURNED)
    if not endings:
        return ""
    listed = ", ".join(f"{count} {kind}" for kind, count in endings.most_common(3))
    return f"of {len(traces)} searches {listed}"


def _kind(ending):
    if ending.kind == RAISED and ending.error != "function missing":
        return f"raised {ending.error}"
    return "not run" if ending.kind == NOT_RUN else ending.error or ending.kind


def diagnoses_of(grading):
    """Return the headline of each diagnosis of a grading."""
    headlines = (headline((diagnosis,)) for diagnosis in grading.diagnoses)
    return tuple(dict.fromkeys(map(one_line, headlines)))


def one_line(text):
    """Return text on one line, without control characters, at most 300 characters."""
    return sentences.printable(" ".join(text.split()))


NAME = "ledger.jsonl"


def read_ledger(folder):
    """Return id -> Outcome of the ledger in a folder; a broken line is skipped."""
    outcomes = {}
    known = {field.name for field in fields(Outcome)}
    try:
        lines = (Path(folder) / NAME).read_bytes().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return outcomes
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            data = json.loads(line)
            outcome = Outcome(**{k: v for k, v in data.items() if k in known})
            outcomes[outcome.id] = replace(outcome, diagnoses=tuple(outcome.diagnoses))
    return outcomes


class Ledger:
    """The ledger of a folder, open for appending. Use it as a context manager."""

    def __init__(self, folder):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = open(folder / NAME, "a+b")  # noqa: SIM115
        self._begin_a_line()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, outcome):
        """Append an outcome; once this returns, no crash of the grader loses it."""
        line = json.dumps(asdict(outcome), ensure_ascii=True, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def _begin_a_line(self):
        """End what a crash may have left half written."""
        if self._file.tell() == 0:
            return
        self._file.seek(-1, 2)
        if self._file.read(1) != b"\n":
            self._file.write(b"\n")
