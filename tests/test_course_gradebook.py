"""Check the books that grade-all writes: gradebook.csv, canvas.csv and the others."""

from zipfile import ZipFile

import pytest
from drawn import NO_CUTOFF, RUBRIC, explained, graded, grading_of, textbook
from helpers import rows_of, tables, tasks_of, variant, write

from autograder.course.books import (
    find_problems,
    write_feedback,
    write_gradebook,
    write_platform_book,
)
from autograder.course.entries import (
    ByHand,
    Entry,
    find_ineffective,
    read_overrides,
)
from autograder.course.outcome import Outcome, Status, outcome_of
from autograder.course.roster import read_roster
from autograder.course.students import Student, Submission
from autograder.explaining.explanation import IS, RESTS_ON, Diagnosis
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import not_begun
from autograder.showing.report import report_html
from gametree.support.errors import InputError
from gametree.support.judging import judge
from gametree.support.trace import Ending

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}  # cents
OUTCOME = Outcome(
    status=Status.GRADED,
    diagnoses=["Cuts strictly"],
    cents=3734,
    parts=PARTS,
    lost={"r": 9},
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")
LIMIT = 10000  # cents

TABLE = tables("books")
CLASSES = TABLE["classes"]


def student_of(name):
    """Return the student with this name in books.yaml."""
    return Student(**{"name": name, **TABLE["students"].get(name, {"sid": name})})


def entry_of(name, submission):
    """Return the Entry of the student with this name in books.yaml."""
    fields = dict(TABLE["matches"].get(name, {}))
    candidates = tuple(map(student_of, fields.pop("candidates", ())))
    return Entry(student_of(name), submission, candidates=candidates, **fields)


def entries_of(folder, case):
    """Return the entries of a class, and lines about its overrides."""
    entries = []
    for id, fields in case["submissions"].items():
        submission = Submission(id, origin=f"{id}.py")
        changes = dict(fields.get("outcome", {}))
        status = Status(changes.pop("status", "graded"))
        for name in fields["students"]:
            entry = entry_of(name, submission)
            entry.outcome = OUTCOME._replace(status=status, **changes)
            entries.append(entry)
    for name in case.get("absent", ()):
        outcome = Outcome(status=Status.NO_SUBMISSION)
        entries.append(Entry(student_of(name), outcome=outcome))
    return entries, read_overrides_in(folder, case.get("overrides", ""), entries)


def read_overrides_in(folder, text, entries):
    """Give the entries the overrides in a text. Return remarks."""
    write(folder, {"overrides.csv": text})
    return read_overrides(folder, entries, LIMIT)


def graded_partners():
    """Return the entries of Ada and Bo, whose submission is graded."""
    submission = Submission("s1", (ADA, BO))
    return [Entry(student, submission, outcome=OUTCOME) for student in (ADA, BO)]


@pytest.mark.parametrize("name", CLASSES)
def test_the_books_of_a_class_are_as_books_yaml_says(tmp_path, name):
    case = CLASSES[name]
    entries, lines = entries_of(tmp_path, case)
    rubric = RUBRIC._replace(term=case.get("term", ""))
    write_gradebook(tmp_path, entries, rubric)
    lines += find_ineffective(entries)
    printed = [line.replace(str(tmp_path), "OUT") for line in lines]
    assert printed == case.get("lines", [])
    path = tmp_path / "gradebook.csv"
    expected = case.get("gradebook", {})
    if isinstance(expected, str):
        assert path.read_text(encoding="utf-8-sig") == expected
        return
    for column, cells in expected.items():
        assert [row[column] for row in rows_of(path)] == cells, column


# ---- the books of platforms


@pytest.mark.parametrize("name", TABLE["platform books"])
def test_a_platforms_book_is_the_class_list_with_new_grades(tmp_path, name):
    case = TABLE["platform books"][name]
    path = write(tmp_path, {"list.csv": case["roster"]}) / "list.csv"
    roster = read_roster(path, "T")
    students = {student.name: student for student in roster.students}
    entries = []
    for name, cents in case["cents"].items():
        status = Status.PROVISIONAL if cents is None else Status.GRADED
        outcome = Outcome(status=status, cents=cents)
        entries.append(Entry(students[name], Submission(name), outcome=outcome))
    lines = find_problems(roster, entries, "T", LIMIT)
    lines += write_platform_book(tmp_path, roster, entries)
    assert lines == case["lines"]
    path = tmp_path / case["book"]
    book = path.read_text(encoding="utf-8-sig") if path.exists() else None
    assert book == case.get("content")


@pytest.mark.parametrize("rows, line", TABLE["wrong overrides"])
def test_a_wrong_override_is_refused_with_its_line_number(tmp_path, rows, line):
    twins = [Entry(Student("Al Twin", sid), Submission(f"s{sid}")) for sid in "89"]
    entries = [Entry(ADA, Submission("s1")), *twins]
    with pytest.raises(InputError, match=f"overrides.csv, {line}"):
        read_overrides_in(tmp_path, f"id,points,note\n{rows}\n", entries)


def test_a_function_that_only_calls_a_wrong_one_adds_no_diagnosis():
    own = Diagnosis("alphabeta", IS, variant("mistakes/no_cutoff"))
    rests = Diagnosis("best_move", RESTS_ON, names=("alphabeta",))
    grading = explained(
        grading_of(NO_CUTOFF, [textbook()]),
        diagnoses={"alphabeta": own, "best_move": rests},
    )
    outcome, _ = outcome_of(grading)
    (headline,) = outcome.diagnoses
    assert headline.startswith("Your alphabeta never tests for a cutoff")


def test_searches_that_were_not_run_are_counted():
    ending = Ending("not run", reason="the time was used up", undecided=True)
    tasks = tasks_of(textbook())
    verdicts = [judge(task, task.expected) for task in tasks]
    verdicts[0] = judge(tasks[0], not_begun(tasks[0], ending))
    outcome, _ = outcome_of(graded(tasks, verdicts))
    assert outcome.status == Status.PROVISIONAL
    expected = f"1 of {len(tasks)} searches were not run: the time was used up"
    assert outcome.remark == expected


class TestFeedback:
    def test_partners_have_a_page_each_and_a_proposal_has_none(self, tmp_path):
        write(tmp_path, {"s1/report.html": "<html>"})
        proposal = Entry(
            Student("Zoe"), Submission("s1"), candidates=(BO,), outcome=OUTCOME
        )
        write_feedback(tmp_path, [*graded_partners(), proposal])
        names = ZipFile(tmp_path / "feedback.zip").namelist()
        assert names == ["Ada 00123.html", "Bo.html"]

    def test_points_by_hand_are_shown_after_the_score(self, tmp_path):
        grading = grading_of("def alphabeta(*_):\n    return 1\n", [textbook()])
        write(tmp_path, {"s1/report.html": report_html(grading)})
        ada, bo = graded_partners()
        ada.by_hand = ByHand("=", 7000, "copied")
        bo.by_hand = ByHand(note="see mail")
        write_feedback(tmp_path, [ada, bo])
        archive = ZipFile(tmp_path / "feedback.zip")
        ada, bo = [archive.read(name).decode() for name in archive.namelist()]
        score = f"<strong>{points_text(grading.score.cents)}</strong><span>/"
        assert score in ada
        assert "</span><span>, 70 by hand</span>" in ada
        assert "70" not in bo[bo.index(score) : bo.index("<h1>")]
        assert "copied" not in ada
