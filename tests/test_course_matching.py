"""Check that the submissions of each platform are matched to the correct students."""

import re
import unicodedata

import pytest
from fixtures.make_class import rows_of, write
from helpers import ROOT, tables

from autograder.course.download import read_course
from autograder.course.gradebook import (
    MATCHES,
    describe_class,
    list_entries,
    write_matches,
)
from autograder.course.handback import CANVAS, write_canvas
from autograder.course.matching import match_course, read_people
from autograder.course.outcome import Outcome, Status
from autograder.course.people import Course, Student, Submission, read_roster
from autograder.scoring.scores import points_text

TABLE = tables("matching")
FIELDS = ("first", "last", "sid", "email", "canvas", "moodle", "github")
DOWNLOADS = TABLE["downloads"]
ENTRY = """submission_{canvas}:
  :submitters:
  - :name: "{first} {last}"
    :sid: '{sid}'
    :email: {email}
"""


def fields_of(row):
    """Return field -> value of a student, and the forms that platforms derive from it."""
    fields = dict(zip(FIELDS, row))
    name = f"{fields['last']}{fields['first']}".casefold()
    squeezed = "".join(c for c in name if c.isalnum())
    fields["squeezed"] = unicodedata.normalize("NFC", squeezed)
    fields["login"] = fields["email"].partition("@")[0]
    fields["anonymous"] = f"Ab{fields['canvas']}"
    fields["twin"] = " 2" if fields["sid"] == "50014" else ""
    fields["section"] = "AB"[fields["canvas"] % 2]
    return fields


AUTHORS = [fields_of(row) for row in [*TABLE["students"], TABLE["stranger"]]]
LISTED = [fields_of(row) for row in [*TABLE["students"], TABLE["absent"]]]


def roster_text(name):
    """Return the text of the class list as a platform exports it."""
    heading, line = TABLE["rosters"][name]
    lines = [line.format(**student) for student in LISTED]
    return "\n".join([heading] + lines)


def source_of(author, attempt):
    """Return a program that contains the sid of its author."""
    return f"author = '{author['sid']}'; attempt = {attempt}\n"


def files_of(download):
    """Return name -> text of the files of a download."""
    files = dict.fromkeys(download.get("other files", ()), "")
    if "link" in download:
        files["classroom_roster.csv"] = roster_text(download["link"]) + "\n50026,,,\n"
    number = 9000
    for attempt in ("first", "again"):
        for author in AUTHORS:
            is_again = author["sid"] in TABLE["again"]
            if attempt not in download or (attempt == "again" and not is_again):
                continue
            number += 1
            name = download[attempt].format(n=number, **author)
            files[name] = source_of(author, attempt == "again")
            text = download.get("text", "").format(**author)
            if text.startswith("Name"):
                files[name.removesuffix("_search.py") + ".txt"] = text
            elif text:
                files[name.replace("search.py", "timestamp.txt")] = text
    if download["first"].startswith("submission_"):
        entries = [ENTRY.format(**author) for author in AUTHORS]
        files["submission_metadata.yml"] = "".join(entries)
    return files


def match_download(folder, download):
    """Write a download and its class list. Return the matched Course."""
    path = write(folder / "course.zip", files_of(download))
    roster = None
    if "roster" in download:
        text = roster_text(download["roster"])
        roster = read_roster(write(folder, {"r.csv": text.encode("utf-16")}) / "r.csv")
    if "people" in download:
        rows = ["file or login,sid"]
        for author in AUTHORS[:-1]:
            rows.append(f"{download['people'].format(**author)},{author['sid']}")
        write(folder, {"people.csv": "\n".join(rows)})
    course = read_course(path)
    people, lines = read_people(folder, course)
    assert lines == []
    return match_course(course, roster, people)


def kind_of(student):
    """Return the sid of a certain match, or else "guess" or "none"."""
    if student.unlisted:
        return "guess" if student.is_guess else "none"
    return student.sid


def count_matches(course):
    """Return the numbers of matches: certain, guessed, none, and certain but wrong."""
    counts = {"certain": 0, "guess": 0, "none": 0, "wrong": 0}
    for submission in course.submissions:
        kind = kind_of(submission.students[0])
        counts[kind if kind in counts else "certain"] += 1
        author = f"author = '{kind}'".encode()
        counts["wrong"] += kind not in counts and not submission.source.startswith(author)
    return counts


@pytest.mark.parametrize("case", TABLE["names"].values(), ids=TABLE["names"])
def test_only_complete_evidence_is_certain(tmp_path, case):
    files = {}
    for name in case["files"]:
        files[f"{name}search.py" if name.endswith("/") else name] = "x = 1"
    course = read_course(write(tmp_path / "course", files))
    students = [Student(name, sid, email) for name, sid, email in case["roster"]]
    found = {}
    for submission in match_course(course, students, {}).submissions:
        [(place, _)] = submission.places
        found[place] = kind_of(submission.students[0])
    assert found == {name.rstrip("/"): kind for name, kind in case["files"].items()}


def test_people_csv_cannot_replace_a_group_by_one_student(tmp_path):
    partners = (Student("Ada King", "1"), Student("Bo Kim", "2"))
    course = Course((Submission("submission_7", partners),))
    write(tmp_path, {"people.csv": "submission_7,1\n"})
    people, [line] = read_people(tmp_path, course)
    assert line.endswith("line 1: submission_7: not a file or login in this download")
    [submission] = match_course(course, partners, people).submissions
    assert [student.sid for student in submission.students] == ["1", "2"]


def test_a_row_without_a_login_links_no_submission():
    ada = Student("Ada King", "1")
    course = Course((Submission("hw", places=(("hw", ""),)),), logins=(ada,))
    assert match_course(course, [ada], {}).absent == (ada,)


@pytest.fixture(scope="module")
def matched_courses(tmp_path_factory):
    """Return platform -> its matched Course."""
    courses = {}
    for platform, download in DOWNLOADS.items():
        courses[platform] = match_download(tmp_path_factory.mktemp("class"), download)
    return courses


def entries_of(course):
    """Return the entries of a course. Every author has different points."""
    outcomes = {}
    for submission in course.submissions:
        sid, attempt = re.findall(r"[0-9]+|True|False", submission.source.decode())
        cents = cents_of(sid, attempt == "True")
        id = submission.id
        outcomes[id] = Outcome(id, "k", submission.hash, Status.GRADED, cents=cents)
    return list_entries(course, outcomes, "k", {}, None)


def cents_of(sid, is_again):
    """Return the points of an author's attempt, in cents."""
    return 100 * int(sid) % 100_000 + 50 * is_again


@pytest.mark.parametrize("platform", DOWNLOADS)
class TestEachPlatform:
    def test_no_student_receives_the_points_of_another(
        self, matched_courses, platform, tmp_path
    ):
        entries = entries_of(matched_courses[platform])
        write_canvas(tmp_path, entries, "points", 0)
        points = {row["SIS User ID"]: row["points"] for row in rows_of(tmp_path / CANVAS)}
        for student in LISTED:
            sid = student["sid"]
            is_again = sid in TABLE["again"] and "again" in DOWNLOADS[platform]
            expected = points_text(cents_of(sid, is_again))
            assert points.get(sid, "") in ("", expected), student
        counts = count_matches(matched_courses[platform])
        assert sum(map(bool, points.values())) <= counts["certain"]

    def test_no_file_is_dropped_and_each_guess_is_counted(
        self, matched_courses, platform, tmp_path
    ):
        entries = entries_of(matched_courses[platform])
        write_matches(tmp_path, entries)
        listed = {row["file"] for row in rows_of(tmp_path / MATCHES)}
        for name, text in files_of(DOWNLOADS[platform]).items():
            if text.startswith("author"):
                parts = name.removeprefix("submitted/").split("/")
                assert {parts[0], "/".join(parts[:2])} & listed, name
        guesses = count_matches(matched_courses[platform])["guess"]
        assert (f"{guesses} guessed" in describe_class(entries)) == (guesses > 0)


def test_benchmarks_md_has_these_counts(matched_courses):
    benchmarks = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    for platform, course in matched_courses.items():
        counts = " | ".join(map(str, count_matches(course).values()))
        assert f"| {platform} | {counts} |\n" in benchmarks, platform
