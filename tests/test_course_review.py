"""Equal files, and what is worth a person's look."""

import csv

from helpers import ROOT

from autograder.course.classpage import (
    RENAMED,
    SAME,
    alike_in,
    not_needed,
    write_similarity,
)
from autograder.course.outcome import Outcome

GIVEN = (ROOT / "starter" / "search.py").read_bytes()
PROGRAM = """
def minimax(node, depth, maximizing):
    # ask the pub quiz team about this line
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    flurbs = [minimax(kid, depth - 1, not maximizing) for kid in node.children]
    return max(flurbs) if maximizing else min(flurbs)
"""
RENAMED_PROGRAM = (
    PROGRAM.replace("flurbs", "vals")
    .replace("kid", "c")
    .replace("    # ask the pub quiz team about this line\n", '    """Mine."""\n\n')
)


def kinds(programs):
    return [(kind, tuple(ids)) for kind, ids in alike_in(programs, GIVEN)]


class TestEqualFiles:
    def test_equal_files_and_renamed_ones_are_groups(self):
        programs = {"a": PROGRAM.encode(), "b": PROGRAM.encode(), "d": b"x = 1\n"}
        assert kinds(programs) == [(SAME, ("a", "b"))]
        programs["c"] = RENAMED_PROGRAM.encode()
        assert kinds(programs) == [(RENAMED, ("a", "b", "c"))]

    def test_exchanged_names_are_another_program(self):
        one = b"def f(alpha, beta):\n    return alpha - beta\n"
        other = b"def f(alpha, beta):\n    return beta - alpha\n"
        assert kinds({"a": one, "b": other}) == []

    def test_what_everybody_was_given_is_nobodys_work(self):
        assert kinds({"a": GIVEN, "b": GIVEN, "c": b"", "d": b"# nothing\n"}) == []

    def test_a_broken_file_is_read_as_text(self):
        broken = b"def f(:\n  ''' \xff (((" + b"[" * 5000
        assert kinds({"a": broken, "b": broken}) == [(SAME, ("a", "b"))]

    def test_a_folder_is_ready_for_moss_and_compare50(self, tmp_path):
        alike = [(SAME, ("=a", "b"))]
        write_similarity(tmp_path, {"a": b"1", "b": b"2"}, GIVEN, alike)
        write_similarity(tmp_path, {"a": b"1"}, GIVEN, alike)
        folder = tmp_path / "similarity"
        assert [path.name for path in (folder / "submissions").iterdir()] == ["a.py"]
        assert (folder / "template" / "search.py").read_bytes() == GIVEN
        assert "compare50" in (folder / "README.txt").read_text()
        with open(folder / "similarity.csv", encoding="utf-8-sig", newline="") as file:
            (row,) = csv.DictReader(file)
        assert row == {"kind": SAME, "group": "1", "submissions": "'=a b"}


def test_what_is_not_needed_is_named_and_no_right_program_or_comment_has_it():
    ended = Outcome("a", "k", "s", "graded", ends={"ended the process that ran it": 3})
    source = b"import subprocess, os\nos._exit(0)\neval('1')\nopen('/autograder/x')\n"
    assert not_needed(source, ended) == (
        "/autograder, eval, os._exit, subprocess, ended the process that ran it"
    )
    fine = Outcome("a", "k", "s", "graded")
    for path in [*(ROOT / "solution/correct").glob("*.py"), ROOT / "solution/search.py"]:
        assert not_needed(path.read_bytes(), fine) == "", path.name
    source = b"# subprocess, os._exit\nx = node.eval(1)\nre.compile('x')\n"
    assert not_needed(source, fine) == ""
