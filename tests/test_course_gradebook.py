"""Check the books that grade-all writes: gradebook.csv, canvas.csv and the others."""

import json
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from drawn import explained, grading_of, textbook
from fixtures.make_class import rows_of, write
from helpers import cases, tables

from autograder.course.gradebook import (
    Override,
    list_entries,
    read_gradebook,
    read_overrides,
    write_gradebook,
)
from autograder.course.handback import (
    remarks_on,
    write_canvas,
    write_changes,
    write_feedback,
    write_moodle,
)
from autograder.course.outcome import (
    Outcome,
    Status,
    describe_stops,
    is_unexplained,
    outcome_of,
)
from autograder.course.people import Course, Owner, Student, Submission
from autograder.explaining.explanation import Diagnosis
from autograder.grading import Grading
from autograder.scoring.scores import points_text
from autograder.showing.report import report_html
from gametree.support.errors import InputError
from gametree.support.trace import Ending

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}  # cents
OUTCOME = Outcome(
    id="s1",
    kit="kit",
    source="source",
    status=Status.GRADED,
    diagnoses=["Cuts strictly"],
    cents=3734,
    parts=PARTS,
    lost={"r": 9},
    failures=[],
    lines=[36],
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")
SUBMISSION = Submission("s1", (ADA,))
LIMIT = 10000  # cents

TABLE = tables("books")
CLASSES = TABLE["classes"]
BOOKS = ("gradebook", "canvas")  # always written


def parse_time(text):
    """Return the time that a text names, None for no text."""
    return datetime.fromisoformat(text) if text else None


def student_of(name):
    """Return the student with this name in books.yaml."""
    return Student(**{"name": name, **TABLE["students"].get(name, {"sid": name})})


def with_fields(outcome, fields):
    """Return an outcome with other values of these fields. A status is a word."""
    fields = dict(fields)
    if "status" in fields:
        fields["status"] = Status(fields["status"])
    return replace(outcome, **fields)


def entries_of(folder, case):
    """Store the outcomes of a class. Return its entries, and lines about its overrides."""
    submissions = []
    outcomes = {}
    for id, fields in case["submissions"].items():
        students = tuple(map(student_of, fields["students"]))
        handed_in = parse_time(fields.get("handed_in"))
        submission = Submission(
            id, students, handed_in=handed_in, score=fields.get("score")
        )
        submissions.append(submission)
        usual = replace(OUTCOME, id=id, source=submission.hash)
        if "earlier" in case:
            with_fields(usual, {"kit": "old", **case["earlier"]}).save(folder)
        outcomes[id] = with_fields(usual, fields.get("outcome", {}))
        outcomes[id].save(folder)
    absent = tuple(map(student_of, case.get("absent", ())))
    course = Course(tuple(submissions), absent=absent)
    overrides, lines = read_overrides_in(folder, case.get("overrides", ""), course.owners)
    kit = case.get("kit", "kit")
    due = parse_time(case.get("due"))
    return list_entries(course, outcomes, kit, overrides, due), lines


def read_overrides_in(folder, text, owners):
    """Return the overrides in a text, and lines about those that match no student."""
    write(folder, {"overrides.csv": text})
    return read_overrides(folder / "overrides.csv", owners, LIMIT)


def graded_entries(*submissions):
    """Return the entries of a class in which every submission is graded and unchanged."""
    outcomes = {}
    for submission in submissions:
        outcomes[submission.id] = replace(OUTCOME, id=submission.id, source=submission.hash)
    return list_entries(Course(submissions), outcomes, "kit", {}, None)


def write_books(folder, entries):
    """Write all books. Return the lines that are printed about them."""
    lines = write_gradebook(folder, entries, PARTS)
    lines += write_canvas(folder, entries, "T", LIMIT)
    lines += write_moodle(folder, entries, LIMIT)
    return lines


@pytest.mark.parametrize("name", CLASSES)
def test_the_books_of_a_class_are_as_books_yaml_says(tmp_path, name):
    case = CLASSES[name]
    files = {"roster.csv": case.get("roster", "")}
    if "changes before" in case:
        files["changes.csv"] = case["changes before"]
    write(tmp_path, files)
    entries, lines = entries_of(tmp_path, case)
    lines += write_changes(tmp_path, entries, "1 May")
    lines += write_books(tmp_path, entries)
    lines += remarks_on(entries, None)
    printed = [line.replace(str(tmp_path), "OUT") for line in lines]
    assert printed == case.get("lines", [])
    for book in (*BOOKS, "moodle", "changes"):
        path = tmp_path / f"{book}.csv"
        assert path.exists() == (book in case or book in BOOKS), book
        expected = case.get(book, {})
        if isinstance(expected, str):
            assert path.read_text(encoding="utf-8-sig") == expected, book
            continue
        for column, cells in expected.items():
            assert [row[column] for row in rows_of(path)] == cells, column
    assert write_changes(tmp_path, entries, "2 May") == []  # each change is reported once
    path = tmp_path / "gradebook.csv"
    path.write_text(path.read_text() + "\n\n")  # two empty rows
    entries.sort(key=lambda entry: entry.counts)  # entries that do not count come first
    owners = []
    for owner in read_gradebook(path):
        student = owner.student
        owners.append((student.sid, student.name, student.email, owner.id))
    assert owners == [tuple(entry.owner_cells.values()) for entry in entries]


@pytest.mark.parametrize("rows, line", TABLE["wrong overrides"])
def test_a_wrong_override_is_refused_with_its_line_number(tmp_path, rows, line):
    twins = [Owner(Student("Twin", sid), f"s{sid}") for sid in "89"]
    owners = [Owner(ADA, "s1"), *twins]
    with pytest.raises(InputError, match=f"overrides.csv, {line}"):
        read_overrides_in(tmp_path, f"id,points,note\n{rows}\n", owners)


class TestOutcomes:
    def test_a_status_is_stored_as_a_code(self, tmp_path):
        outcome = replace(OUTCOME, status=Status.PROVISIONAL, reason="x\ud800")
        outcome.save(tmp_path)
        text = (tmp_path / "s1" / "outcome.json").read_text()
        assert json.loads(text)["status"] == "PROVISIONAL"
        assert "provisional" not in text
        assert Outcome.load(tmp_path, "s1") == outcome

    @pytest.mark.parametrize("change", cases("outcomes of other versions"))
    def test_a_broken_outcome_or_one_of_another_version_is_not_loaded(
        self, tmp_path, change
    ):
        OUTCOME.save(tmp_path)
        path = tmp_path / "s1" / "outcome.json"
        text = change
        if isinstance(change, dict):
            text = json.dumps({**json.loads(path.read_text()), **change})
        path.write_text(text, encoding="latin-1")
        assert Outcome.load(tmp_path, "s1") is None

    def test_the_last_outcome_by_another_kit_is_saved_as_earlier(self, tmp_path):
        OUTCOME.save(tmp_path)
        replace(OUTCOME, cents=1).save(tmp_path)
        assert Outcome.load(tmp_path, "s1", "earlier.json") is None
        replace(OUTCOME, kit="new").save(tmp_path)
        replace(OUTCOME, kit="new", cents=2).save(tmp_path)
        assert Outcome.load(tmp_path, "s1", "earlier.json").cents == 1

    @pytest.mark.parametrize(
        "functions, is_explained", cases("explained programs of a class")
    )
    def test_a_program_is_explained_if_all_its_wrong_functions_are(
        self, functions, is_explained
    ):
        source = "def alphabeta(*_):\n    return 1\n\ndef best_move(*_):\n    return 1\n"
        grading = grading_of(source, [textbook()])
        diagnosis = Diagnosis(functions)
        graded = explained(grading, diagnoses=(diagnosis,))
        assert is_unexplained(graded) is not is_explained

    def test_a_correct_program_needs_no_explanation(self):
        assert not is_unexplained(grading_of("", [textbook()]))


@pytest.mark.parametrize("stops, reason", TABLE["reasons"])
def test_a_reason_says_how_searches_stopped(stops, reason):
    traces = []
    for function, kind, error, count in stops:
        ending = Ending(kind, error)
        traces += [SimpleNamespace(function=function, ending=ending)] * count
    assert describe_stops(traces) == reason


def test_an_import_that_hangs_gets_a_hint():
    grading = grading_of("", [textbook()])
    ending = Ending("timed out", loading=True)
    failure = replace(grading.traces[0], ending=ending)
    outcome = outcome_of(replace(grading, load_failure=failure), "s", "kit", "source")
    assert outcome.status == Status.NOT_LOADED
    assert outcome.reason.endswith("an endless loop outside the functions?")


def test_searches_that_were_not_run_are_counted(monkeypatch):
    grading = grading_of("", [textbook()])
    ending = Ending("not run", reason="the time was used up", undecided=True)
    trace, *others = grading.traces
    traces = [replace(trace, ending=ending), *others]
    monkeypatch.setattr(Grading, "traces", traces)
    outcome = outcome_of(grading, "s", "kit", "source")
    assert outcome.status == Status.PROVISIONAL
    expected = f"1 of {len(traces)} searches were not run: the time was used up"
    assert outcome.reason == expected


class TestGradebook:
    def test_a_book_left_by_a_killed_run_is_not_reported_as_edited(self, tmp_path):
        path = tmp_path / "gradebook.csv"
        entries = graded_entries(SUBMISSION)
        write_books(tmp_path, entries)
        before = path.read_bytes()
        write_books(tmp_path, [replace(entries[0], counts=False)])
        path.write_bytes(before)
        assert write_books(tmp_path, entries) == []

    @pytest.mark.parametrize("content, times, line", cases("files that are not gradebooks"))
    def test_a_file_that_is_not_a_gradebook_is_refused_in_one_line(
        self, tmp_path, content, times, line
    ):
        path = tmp_path / "gradebook.csv"
        if times:
            path.write_text(content * times)
        with pytest.raises(InputError, match=line):
            read_gradebook(path)


class TestFeedback:
    def test_partners_have_a_page_each_unless_the_platform_names_one(self, tmp_path):
        write(tmp_path, {"s1/report.html": "<html>"})
        both = Submission("s1", (ADA, BO))
        write_feedback(tmp_path, graded_entries(both))
        names = ZipFile(tmp_path / "feedback.zip").namelist()
        assert names == ["Ada 00123.html", "Bo.html"]
        write_feedback(tmp_path, graded_entries(replace(both, report="ada_1_2_report")))
        assert ZipFile(tmp_path / "feedback.zip").namelist() == ["ada_1_2_report.html"]

    def test_points_by_hand_are_shown_after_the_score(self, tmp_path):
        grading = grading_of("def alphabeta(*_):\n    return 1\n", [textbook()])
        write(tmp_path, {"s1/report.html": report_html(grading)})
        ada, bo = graded_entries(Submission("s1", (ADA, BO)))
        ada = replace(ada, override=Override(7000, "copied"))
        bo = replace(bo, override=Override(None, "see mail"))
        write_feedback(tmp_path, [ada, bo])
        archive = ZipFile(tmp_path / "feedback.zip")
        ada, bo = [archive.read(name).decode() for name in archive.namelist()]
        score = f"<strong>{points_text(grading.cents)}</strong><span>/"
        assert score in ada
        assert "</span><span>, 70 by hand</span>" in ada
        assert "70" not in bo[bo.index(score) : bo.index("<h1>")]
        assert "copied" not in ada
