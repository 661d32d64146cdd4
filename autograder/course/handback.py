"""What a course writes beside its gradebook: canvas.csv, feedback.zip and changes.csv."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from autograder.course.gradebook import (
    GRADEBOOK,
    OVERRIDES,
    OWNER_COLUMNS,
    Entry,
    points_cell,
)
from autograder.course.outcome import EARLIER, Outcome, Status
from autograder.course.submissions import make_folder_names
from autograder.course.tables import table_text
from autograder.files import replace_file
from autograder.judging.scores import points_text
from autograder.progress import counted
from autograder.results import REPORT

CANVAS = "canvas.csv"
FEEDBACK = "feedback.zip"
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
WITH_FEEDBACK = (Status.GRADED, Status.NOT_GRADABLE, Status.NOT_LOADED)
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same reports make the same zip
MAX_LISTED = 10  # strangers, or scores that are not Gradescope's


def write_canvas(folder: Path, entries: Iterable[Entry], title: str) -> None:
    """Write canvas.csv, which Canvas's gradebook imports, under the title.

    Canvas looks a student up by ID, then by SIS User ID, then by login. A score that is not
    final is an empty cell. A student whom Canvas cannot find has no row, nor has a
    submission that does not count.
    """
    rows = []
    for entry in entries:
        if entry.counts and _is_known(entry):
            student = entry.student
            number = student.number if student.number.isdecimal() else ""
            score = points_cell(entry.final_cents)
            rows.append(
                (student.name, number, student.sid, student.email, student.section, score)
            )
    replace_file(folder / CANVAS, table_text((*CANVAS_COLUMNS, title), rows))


def write_feedback(folder: Path, entries: Iterable[Entry]) -> None:
    """Write feedback.zip: a report for each student whose grade is final.

    Canvas takes it at *Upload submissions* in the gradebook, and finds the student by the
    numbers in a name; Moodle at *Upload multiple feedback files in a zip*, by the number of
    the participant. Of other courses each report has the name of its student.
    """
    reports = {}  # partners have one where the platform names it, else one each
    for entry in entries:
        path = folder / entry.outcome.id / REPORT
        if entry.outcome.status in WITH_FEEDBACK and path.is_file():
            reports[entry.submission.report or entry.label, path] = path.read_bytes()
    content = io.BytesIO()
    names = make_folder_names(name for name, _ in reports)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(names, reports.values()):
            member = zipfile.ZipInfo(f"{name}.html", EPOCH)
            archive.writestr(member, report, zipfile.ZIP_DEFLATED)
    replace_file(folder / FEEDBACK, content.getvalue())


def _is_known(entry):
    """Tell whether Canvas may find a student: by a name, and a sid or the like."""
    return bool(entry.student.name and entry.student.key)


# ---- lines on what the books leave out


def remarks_on(entries: Sequence[Entry], deadline: datetime | None = None) -> list[str]:
    """Return lines on what the books leave out, and on what is not as it should be."""
    lines = []
    for entry in entries:
        if entry.outcome.status == Status.COULD_NOT_TELL:
            lines.append(f"{entry.outcome.id}: {entry.reason}")
    lines += _on_scores_not_in_canvas(entries)
    lines += _on_students_not_in_canvas(entries)
    lines += _on_the_deadline(entries, deadline)
    lines += _on_scores_of_gradescope(entries)
    return lines


def _on_scores_not_in_canvas(entries):
    out_of_date = 0
    empty = 0
    for entry in entries:
        if entry.outcome.status == Status.OUT_OF_DATE:
            out_of_date += not entry.is_overridden
        elif entry.counts and _is_known(entry) and entry.final_cents is None:
            empty += 1
    cell = "empty cell"
    if out_of_date:
        cell = "more empty cell"
        yield (
            f"{out_of_date} out of date (graded by another kit or file), left out of "
            f"{CANVAS} and of the mean: grade-all without ONLY brings them up to date"
        )
    if empty:
        yield (
            f"{counted(empty, cell)} of {CANVAS}: no settled score; {OVERRIDES} "
            "(id, points, note) gives points"
        )


def _on_students_not_in_canvas(entries):
    unknown = [entry for entry in entries if not _is_known(entry)]
    if not unknown:
        return
    why = "name or sid not known: ROSTER=roster.csv tells"
    strangers = [e.label for e in unknown[:MAX_LISTED] if e.student.unlisted]
    if strangers:
        why = f"not in the roster: {', '.join(strangers)}"
        if len(unknown) > MAX_LISTED:
            why += ", ..."
    yield f"{len(unknown)} left out of {CANVAS}, {why}"


def _on_the_deadline(entries, deadline):
    submissions = [entry.submission for entry in entries if entry.submission]
    if not deadline or any(submission.handed_in for submission in submissions):
        return
    line = "DUE has nothing to compare with: these files do not say when they came"
    marked = sum(submission.marked_late for submission in submissions)
    if marked:
        line += f"; Canvas marked {marked} as late"
    yield line


def _on_scores_of_gradescope(entries):
    """Yield lines that compare the scores with Gradescope's own, where it has any."""
    entry_of = {}
    for entry in entries:
        if entry.outcome.status == Status.GRADED and entry.submission.score is not None:
            entry_of[entry.outcome.id] = entry
    if not entry_of:
        return
    lines = []
    for entry in entry_of.values():
        if entry.outcome.cents != entry.submission.score:
            ours = points_cell(entry.outcome.cents)
            theirs = points_cell(entry.submission.score)
            lines.append(f"  {entry.label}: laptop {ours}, Gradescope {theirs}")
    equal = len(entry_of) - len(lines)
    yield f"{equal} of {len(entry_of)} scores equal Gradescope's own"
    yield from lines[: MAX_LISTED - 1]
    more = len(lines) - (MAX_LISTED - 1)
    if more > 0:
        yield f"  and {more} more, all in {GRADEBOOK}"


# ---- changes.csv: whose score changed since another kit graded the same files

CHANGES = "changes.csv"
CHANGE_COLUMNS = (*OWNER_COLUMNS, "before", "after", "change", "why")
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
    replace_file(folder / CHANGES, table_text(CHANGE_COLUMNS, [row for _, row in changes]))
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
    """Return the row of changes.csv, in the order of CHANGE_COLUMNS."""
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
