"""make explain: what a TA is told of a row, and who is meant by a mail."""

import json
import os
import re
from dataclasses import replace
from zipfile import ZipFile

import pytest
from courses import RIGHT, ROSTER, TREE, WRONG, books
from drawn import grading_of, textbook
from fixtures.make_class import write

from autograder.course.folder import find_submission
from autograder.course.people import CourseError
from autograder.grade import rows_lost, show
from autograder.grading import grade_path
from autograder.judging.scores import score_text
from autograder.kit import load_kit
from autograder.showing.staff import WARNING
from autograder.workbench import explain

HOSTILE = """
def minimax(node, depth, maximizing):
    print("\\x1b[31mred <b>")
    raise ValueError("\\x1b]0;title\\x07 <script>")  # the line
def alphabeta(node, depth, alpha, beta, maximizing):
    return 0
def best_move(node, depth, maximizing):
    return node.children[-1]
"""


@pytest.fixture
def explained(walk, tmp_path, monkeypatch, capsys):
    """A function that explains a source or a name; returns status, output, pages."""
    (walk.kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    monkeypatch.setattr(explain, "cached_kit", lambda **_: load_kit(walk.kit))

    def running(asked, *options):
        if "\n" in asked:
            asked = write(tmp_path / "hw", {"search.py": asked}) / "search.py"
        given = ["--books", str(walk.out), "--out", str(tmp_path / "explained")]
        status = explain.main([str(asked), *given, *options])
        said, errors = capsys.readouterr()
        pages = {page.name: page.read_text() for page in tmp_path.glob("explained/hw-*/*")}
        return status, said + errors, pages

    return running


class TestTheCommand:
    pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

    def test_a_hidden_row_is_explained_to_the_leaf(self, explained, tmp_path):
        status, out, pages = explained(WRONG, "--row", "cutoffs at MIN")
        assert status == 0
        assert WARNING in out and "two (hidden): the lesson of two" in out
        assert "visited c2 and c3 needlessly: you should have cut off before this" in out
        assert "so c2 and c3 cannot matter; your search went on to c2." in out
        assert set(pages) == {"report.html", "2.02-two.html", "send.txt"}
        assert all(WARNING in pages[name] for name in pages.keys() - {"send.txt"})
        files = tmp_path.glob("explained/hw-*/*")
        assert {path.stat().st_mode & 0o077 for path in files} == {0}
        _, out, pages = explained(RIGHT)  # no page of another student lies beside
        assert "No points were lost." in out and set(pages) == {"report.html", "send.txt"}

    def test_without_a_row_the_worst_comes_first_each_with_one_tree(self, explained):
        """A crash shows the line, and nothing steers the terminal or a page."""
        _, out, pages = explained(HOSTILE)
        lost = [line.split(":")[0] for line in out.splitlines() if "trees right" in line]
        assert lost[0] == "2.02 alphabeta" and len(lost) == 6
        assert len(pages) == 8
        assert " > 4     raise ValueError" in out and "(search.py, line 4)" in out
        assert "red <b>" in out and "\x1b" not in out and "\x07" not in out
        assert all(" <script>" not in p and "<b>" not in p for p in pages.values())
        assert "The moves are worth B = 3, C = 2 and D = 2." in out
        assert "your best_move chose D." in out

    def test_a_file_that_cannot_be_loaded_says_so_once(self, explained):
        _, out, pages = explained("def minimax(:\n")
        assert "search.py could not be loaded" in out and len(pages) == 3
        assert out.startswith("You may send this to the student:")

    def test_a_row_that_is_not_there_is_one_line(self, explained):
        status, out, _ = explained(RIGHT, "--row", "9.99")
        assert status == 2 and out.count("\n") == 1
        assert "ROW=9.99: no such row; write 1.01 to 3.02, or a row's name" in out

    def test_it_begins_with_what_may_be_sent_to_whom(self, explained, walk, tmp_path):
        (walk.folder / "007.py").write_text(WRONG)
        walk.grade_all("--roster", walk.roster)
        _, said, _ = explained("King, Ada")
        head, _, staff = said.partition("For the course staff only")
        assert head.startswith("You may send this to Ada King 007 (007):")
        report = json.loads((walk.out / "007" / "results.json").read_text())["output"]
        assert report in head and "hidden" not in head and "the lesson of two" not in head
        assert "one (public)" in staff
        [letter] = tmp_path.glob("explained/007-*/send.txt")
        assert letter.read_text().strip() == report.strip()

    def test_time_used_up_is_no_accusation(self, explained, walk):
        rubric = walk.kit / "autograder" / "rubric.yaml"
        quick = rubric.read_text().replace("total_seconds: 60", "total_seconds: 0.6")
        rubric.write_text(quick)
        slow = "    for _ in range(10**8): pass\n    if depth"
        (walk.folder / "007.py").write_text(RIGHT.replace("    if depth", slow, 1))
        said = walk.grade_all("--roster", walk.roster, "--only", "007")
        ada = books(walk.out)[0]
        used_up = "searches were not run: the time of 0.6 s was used up"
        assert ada["status"] == "not settled" and "1 not settled" in said
        assert ada["reason"].endswith(used_up)
        assert books(walk.out, "canvas.csv")[0]["Minimax and alpha-beta"] == ""
        assert ZipFile(walk.out / "feedback.zip").namelist() == []
        page = (walk.out / "report.html").read_text()
        place = page.index("<summary>not settled: 1</summary>")
        assert page.index("Needs a person") < place
        results = json.loads((walk.out / "007" / "results.json").read_text())
        rows = [row["output"] for row in results["tests"] if row["number"][0] in "23"]
        assert f"{used_up}." in results["output"]
        assert all("not run:" in row for row in rows)
        lost = list(rows_lost(grade_path(load_kit(walk.kit), walk.folder / "007.py")))
        assert lost and all("not run: the time of 0.6 s was used up" in row for row in lost)
        _, told, _ = explained("ada")
        assert used_up in told and "Right this time" not in told
        for text in (results["output"], *rows, *lost):
            assert "wrong" not in text

    def test_who_is_not_found_is_told_in_a_line(self, walk):
        with pytest.raises(CourseError, match="no course in .*run make grade-all first"):
            find_submission("zoe", walk.out)
        walk.roster.write_text(ROSTER.replace("Bö Kim", "Ada King") + "Eve;009;;\n")
        (walk.folder / "Kim, Bo.py").rename(walk.folder / "008.py")
        (walk.folder / "009.zip").write_text("no zip")
        walk.grade_all("--roster", walk.roster)
        assert find_submission("8", walk.out)[1] == "Ada King 008 (008)"
        two = "2 have that name; write the sid: Ada King 007 .007., Ada King 008"
        for asked, line in {
            "Ada King": two,
            "king": two,
            "eve": "nothing that could be run was handed in",
            "zoe": "nobody in .*gradebook.csv has this sid",
        }.items():
            with pytest.raises(CourseError, match=line):
                find_submission(asked, walk.out)


def test_make_grade_lists_every_row_that_lost_points_with_the_line_of_a_crash(
    tmp_path, capsys
):
    """Also those that students do not see yet: the terminal is the staff's."""
    source = WRONG + "\n\ndef best_move(node, depth, maximizing):\n    1 / 0\n"
    line = len(source.splitlines())
    grading = grading_of(source, [textbook()], [textbook("two")])
    rows = tuple(row._replace(visibility="hidden") for row in grading.rows)
    lines = list(rows_lost(grading))
    show(replace(grading, rows=rows), tmp_path)
    said = capsys.readouterr().out
    assert f"Score: {score_text(grading)}" in said and "not shown" not in said
    assert all(line in said for line in lines)
    crash = f"0 of 1 trees right: it raised ZeroDivisionError (line {line})"
    assert [re.sub(r" [0-9.]+/[0-9.]+:", ":", said) for said in lines] == [
        "2.01 alphabeta: public trees: 0 of 1 trees right: leaves wrong on 1, "
        "node count wrong on 1",
        "2.02 alphabeta: cutoffs at MIN: 0 of 1 trees right: leaves wrong on 1, "
        "node count wrong on 1",
        f"3.01 best_move: public trees: {crash}",
        f"3.02 best_move: MAX moves first: {crash}",
    ]
