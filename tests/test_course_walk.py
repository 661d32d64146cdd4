"""Run grade-all with a tiny kit as a TA does, step by step."""

import re
from fnmatch import fnmatchcase
from zipfile import ZipFile

import pytest
from courses import DIES, NEEDS_FORK, PARTLY, TOTAL, TREE, WRONG, books
from helpers import CORRECT, STUBS, check_words, kit_text, tables, write

from autograder import batch
from autograder.course import books as course_books
from autograder.course import download, roster
from autograder.course.outcome import Outcome, Status
from autograder.course.platforms import PLATFORMS, Platform
from autograder.ground.files import store

pytestmark = NEEDS_FORK

WALKS = tables("walks")
PROGRAMS = {
    "correct": CORRECT,
    "partly correct": PARTLY,
    "wrong": WRONG,
    "starter": STUBS,
    "dies": DIES,
    "in UTF-16": CORRECT.encode("utf-16"),
    "another tree": TREE.format(name="two"),
    "another title": kit_text("autograder/rubric.yaml")
    .replace("hints: line", "hints: mistake")
    .replace("title: Minimax and alpha-beta", "title: Adversarial search"),
}


def take(step, walk, folder):
    """Take one step of walks.yaml, and check the result."""
    for name, content in step.get("files", {}).items():
        if content is None:
            (folder / name).unlink()
        else:
            write(folder, {name: PROGRAMS.get(content, content)})
    before = graded_at(walk.out)
    status = step.get("status", 0)
    printed = walk.grade_all(*step.get("run", ()), status=status)
    printed = printed.replace(f"{folder}/", "")
    assert status == 0 or printed.count("\n") == 1, printed
    expected_lines = [line.replace("TOTAL", TOTAL) for line in step.get("says", ())]
    check_words(printed, expected_lines, step.get("omits", ()))
    last = printed.splitlines()[-1]
    assert last == step.get("last", last)
    for book, columns in step.get("books", {}).items():
        rows = books(walk.out, f"{book}.csv")
        for column, expected in columns.items():
            check_cells([row[column] for row in rows], expected)
    newly_graded = [
        id for id, time in graded_at(walk.out).items() if before.get(id) != time
    ]
    assert sorted(newly_graded) == step.get("graded", sorted(newly_graded))


def graded_at(out):
    """Return submission -> the time of its last grading."""
    stored = out.glob("*/outcome.cache")
    return {path.parent.name: path.stat().st_mtime_ns for path in stored}


def check_cells(cells, expected):
    """Assert that the cells of a column are as walks.yaml says."""
    assert len(cells) == len(expected), cells
    for cell, pattern in zip(cells, expected):
        assert fnmatchcase(cell, pattern.replace("TOTAL", TOTAL)), cells


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_goes_as_walks_yaml_says(name, walk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for step in WALKS[name]:
        take(step, walk, tmp_path)


def test_a_submission_without_a_final_score_is_graded_again(walk, monkeypatch):
    statuses = iter([Status.PROVISIONAL, Status.GRADER_FAILED])

    def outcome_of_status(grading):
        return Outcome(next(statuses)), []

    with monkeypatch.context() as patch:
        patch.setattr(batch, "outcome_of", outcome_of_status)
        walk.grade_all()
    assert [row["status"] for row in books(walk.out)] == ["provisional", "grader failed"]
    assert "already graded" not in walk.grade_all()
    assert {row["status"] for row in books(walk.out)} == {"graded"}
    assert "2 of 2 submissions are already graded" in walk.grade_all()


def test_an_outcome_of_another_version_is_graded_again(walk, monkeypatch):
    def store_other(path, key, usual):
        store(path, key, {"cause": 1} if path.name == batch.OUTCOME else usual)

    with monkeypatch.context() as patch:
        patch.setattr(batch, "store", store_other)
        walk.grade_all()
    assert "already graded" not in walk.grade_all()
    assert "2 of 2 submissions are already graded" in walk.grade_all()


def test_other_users_cannot_read_the_files_of_a_course(walk):
    walk.grade_all()
    files = [path for path in walk.out.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path for path in files if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize(
    "part", ["showing.report.report_html", "course.outcome._headlines"]
)
def test_an_internal_error_in_an_explanation_costs_no_points(walk, monkeypatch, part):
    (walk.folder / "007.py").write_text(PARTLY)
    monkeypatch.setattr(f"autograder.{part}", lambda *_: 1 // 0)
    walk.grade_all()
    row = books(walk.out)[0]
    assert row["status"] == "graded"
    assert 0 < float(row["score"]) < 100
    fault = walk.out / "007" / "fault.txt"
    assert row["reason"].endswith(
        f"; not explained because of an internal error; see {fault}"
    )
    assert "1 // 0" in fault.read_text()


def test_a_page_names_its_submission(walk):
    walk.grade_all()
    page = (walk.out / "Kim, Bo" / "report.html").read_text()
    assert "Kim, Bo" in page


# ---- a platform is one record


ILIAS = Platform(
    name="Ilias",
    pattern=re.compile(r"(?P<name>[^_]+)_ilias(?P<number>[0-9]+)_(?P<file>.*)"),
    report="{name}_{number}_reply",
    can_be_imitated=False,
    headings=(("object id", "mark"),),
    has_grades=True,
    book="ilias.csv",
)


def test_a_new_platform_is_one_record(walk, tmp_path, monkeypatch):
    for module in (download, roster, course_books):
        monkeypatch.setattr(module, "PLATFORMS", (*PLATFORMS, ILIAS))
    folder = write(tmp_path / "export", {"Ada King_ilias12_search.py": CORRECT})
    rows = "Object ID,Full name,SID,Mark\n12,Ada King,007,\n13,Bo Kim,008,5\n"
    write(tmp_path, {"ilias list.csv": rows})
    (walk.out / "people.csv").unlink()
    walk.grade_all("--roster", tmp_path / "ilias list.csv", course=folder)
    [ada, bo] = books(walk.out)
    assert (ada["sid"], ada["score"], bo["status"]) == ("007", TOTAL, "no submission")
    assert [row["Mark"] for row in books(walk.out, "ilias.csv")] == [TOTAL, "5"]
    assert ZipFile(walk.out / "feedback.zip").namelist() == ["Ada King_12_reply.html"]
