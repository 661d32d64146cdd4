"""changes.csv: whose score changed since another kit graded the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from autograder.course.entries import Entry
from autograder.course.gradebook import OWNER_COLUMNS, points_cell
from autograder.course.outcome import EARLIER, Outcome, Status
from autograder.course.tables import table_text
from autograder.files import replace_file
from autograder.judging.scores import points_text
from autograder.progress import counted

CHANGES = "changes.csv"
COLUMNS = (*OWNER_COLUMNS, "before", "after", "change", "why")
MAX_ROWS = 3  # of the grading that the reason for one change names


def write_changes(folder: Path, entries: Sequence[Entry]) -> list[str]:
    """Write changes.csv; return a line that sums it up.

    Scores are compared where an earlier kit has graded the same file; where none has,
    nothing is written or returned. The greatest losses come first.
    """
    compared = []  # pairs of an earlier Outcome and an Entry
    for entry in entries:
        earlier = Outcome.load(folder, entry.outcome.id, EARLIER)
        if earlier and _is_comparable(earlier, entry.outcome):
            compared.append((earlier, entry))
    if not compared:
        return []
    changes = []  # pairs of a change in cents and a row
    for earlier, entry in compared:
        if earlier.cents != entry.outcome.cents:
            change = _change_of(earlier, entry.outcome)
            changes.append((change or 0, _row_of(earlier, entry, change)))
    changes.sort()
    replace_file(folder / CHANGES, table_text(COLUMNS, [row for _, row in changes]))
    lower = sum(change < 0 for change, _ in changes)
    higher = sum(change > 0 for change, _ in changes)
    before = _mean(earlier for earlier, _ in compared)
    after = _mean(entry.outcome for _, entry in compared)
    return [
        f"{len(changes)} of {len(compared)} scores changed with the kit: {lower} lower, "
        f"{higher} higher; the mean went from {before} to {after}; see {folder / CHANGES}"
    ]


def _is_comparable(earlier, now):
    return earlier.source == now.source and now.status != Status.OUT_OF_DATE


def _change_of(earlier, now):
    """Return by how many cents a score changed, None where one is not known."""
    if earlier.cents is None or now.cents is None:
        return None
    return now.cents - earlier.cents


def _row_of(earlier, entry, change):
    """Return the row of changes.csv, in the order of COLUMNS."""
    student = entry.student
    now = entry.outcome
    why = _reason_of_change(earlier, now)
    if entry.is_overridden:
        why += f"; {points_cell(entry.cents)} by hand stands"
    return (
        student.sid,
        student.name,
        student.email,
        now.id,
        points_cell(earlier.cents),
        points_cell(now.cents),
        points_cell(change),
        why,
    )


def _reason_of_change(earlier, now):
    reasons = []
    if earlier.status != now.status:
        reasons.append(f"was {earlier.status.value}, is {now.status.value}")
    gained = Counter(earlier.lost)  # name of a row -> cents
    gained.subtract(now.lost)
    changed = sorted((-abs(cents), name) for name, cents in gained.items() if cents)
    for cents, name in changed[:MAX_ROWS]:
        direction = "more" if gained[name] > 0 else "less"
        reasons.append(f"{points_text(-cents)} {direction} in {name}")
    remaining = len(changed) - MAX_ROWS
    if remaining > 0:
        reasons.append(f"and {counted(remaining, 'more row')}")
    return "; ".join(reasons) or "other points for the same rows"


def _mean(outcomes):
    cents = [outcome.cents for outcome in outcomes if outcome.cents is not None]
    if not cents:
        return "nothing"
    return points_text(sum(cents) / len(cents))
