"""Put together what the report of a class shows."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

from autograder.course.outcome import GRADED, UNGRADED
from autograder.showing.class_report import ClassReport, Entry, Lesson


def class_report_of(submissions, outcomes, rows, links):
    """Return the ClassReport of a course.

    `outcomes` maps the ids of submissions to Outcomes; `rows` are the rows of any
    grading; `links` is the name of the file in each submission's folder to link to.
    """
    most = sum(row.most_cents for row in rows)
    entries = []
    for submission in submissions:
        outcome = outcomes.get(submission.id)
        for student in submission.students:
            entries.append(_entry(submission, student, outcome, most, links))
    return ClassReport(
        entries=tuple(entries),
        lessons=_lessons(submissions, outcomes, rows),
        most_cents=most,
        ungraded=UNGRADED,
    )


def _entry(submission, student, outcome, most, links):
    name = " ".join(filter(None, (student.name, student.sid))) or submission.id
    if outcome is None:
        return Entry(name, submission.id)
    percent = None if outcome.cents is None else 100 * outcome.cents / max(most, 1)
    return Entry(
        name=name,
        submission=submission.id,
        link=f"{quote(submission.id)}/{links}" if outcome.cents is not None else "",
        cents=outcome.cents,
        percent=percent,
        status=outcome.status,
        reason="; ".join(filter(None, (outcome.reason, submission.note))),
        diagnoses=outcome.diagnoses,
    )


def _lessons(submissions, outcomes, rows):
    """Add up, over the students whose code ran, what each lesson cost them."""
    most = Counter()
    for row in rows:
        most[row.name] += row.most_cents
    ran = [
        outcomes[one.id].lost
        for one in submissions
        if one.id in outcomes and outcomes[one.id].status == GRADED
        for _ in one.students
    ]
    found = []
    for name, cents in most.items():
        lost = [each.get(name, 0) for each in ran]
        mean = sum(lost) / len(lost) if lost else 0.0
        found.append(Lesson(name, mean, sum(c > 0 for c in lost), cents))
    return tuple(sorted(found, key=lambda lesson: -lesson.mean_cents))
