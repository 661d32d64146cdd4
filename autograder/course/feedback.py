"""One zip with a report for each student, to be uploaded: `make feedback`.

Canvas takes it at *Upload submissions* in the gradebook, and finds who is meant by the
numbers in a name; Moodle at *Upload multiple feedback files in a zip*, by the number of
the participant. Of other courses each report has the name of its student.
"""

from __future__ import annotations

import argparse
import io
import sys
import zipfile
from collections import Counter

from autograder.command import path, say, status_of
from autograder.course.classpage import REPORT, counted
from autograder.course.download import unique
from autograder.course.folder import counting, recall
from autograder.course.gradebook import GRADEBOOK, read
from autograder.course.outcome import Status
from autograder.course.people import CourseError
from autograder.utilities import replace_file

SENT = (Status.GRADED, Status.NOT_GRADABLE, Status.NOT_LOADED)  # what is settled
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same reports make the same zip


def main(arguments=None):
    """Write the zip and return 0, or 2 with a line why not."""
    parser = argparse.ArgumentParser(prog="autograder.course.feedback", description=__doc__)
    parser.add_argument("--books", type=path, default="build/course", help="of a course")
    parser.add_argument("--out", type=path, default="build/feedback.zip", help="the zip")
    options = parser.parse_args(arguments)
    return status_of("feedback", lambda: feedback(options), options.out.parent)


def feedback(options):
    """Write one report for each student whose grade is settled; say who has none."""
    books = counting(options.books)
    if not (books / GRADEBOOK).is_file():
        raise CourseError(f"{books}: no course in it; run make grade-all first")
    names, reports, left_out, by_hand = recall(books).reports, {}, Counter(), 0
    for entry in read(books / GRADEBOOK):
        id, status = entry.outcome.id, entry.outcome.status
        report = books / id / REPORT
        if status in SENT and id and report.is_file():
            reports[names.get(id) or entry.who, id] = report
            by_hand += entry.overridden
        else:
            left_out[status] += 1
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(unique(name for name, _ in reports), reports.values()):
            entry = zipfile.ZipInfo(f"{name}.html", EPOCH)
            archive.writestr(entry, report.read_bytes(), zipfile.ZIP_DEFLATED)
    replace_file(options.out, content.getvalue(), mode=0o600)
    say(f"wrote {options.out}: {counted(len(reports), 'report')} of {books}")
    for status, count in left_out.items():
        say(f"  left out: {count} {status}")
    if by_hand:
        say(f"  {by_hand} with points by hand, of which the report says nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
