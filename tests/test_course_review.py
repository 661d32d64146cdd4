"""Equal files, and what is worth a person's look."""

from fixtures.make_class import rows_of
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
PROGRAM = b"""
def minimax(node, depth, maximizing):
    # ask the pub quiz team about this line
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    flurbs = [minimax(kid, depth - 1, not maximizing) for kid in node.children]
    return max(flurbs) if maximizing else min(flurbs)
"""
COMMENT = b"    # ask the pub quiz team about this line\n"
OTHER_NAMES = PROGRAM.replace(b"flurbs", b"vals").replace(b"kid", b"c")
OTHER_NAMES = OTHER_NAMES.replace(COMMENT, b'    """Mine."""\n\n')


def test_equal_files_and_renamed_ones_are_groups_and_the_given_one_is_nobodys():
    one = b"def f(alpha, beta):\n    return alpha - beta\n"
    broken = b"def f(:\n  ''' \xff (((" + b"[" * 5000  # is read as text
    for programs, groups in (
        ({"a": PROGRAM, "b": PROGRAM, "d": b"x = 1\n"}, [(SAME, ("a", "b"))]),
        ({"a": PROGRAM, "b": PROGRAM, "c": OTHER_NAMES}, [(RENAMED, ("a", "b", "c"))]),
        ({"a": one, "b": one.replace(b"alpha - beta", b"beta - alpha")}, []),
        ({"a": GIVEN, "b": GIVEN, "c": b"", "d": b"# nothing\n"}, []),
        ({"a": broken, "b": broken}, [(SAME, ("a", "b"))]),
    ):
        found = alike_in(programs, GIVEN)
        assert [(kind, tuple(ids)) for kind, ids in found] == groups


def test_a_folder_is_ready_for_moss_and_compare50(tmp_path):
    alike, folder = [(SAME, ("=a", "b"))], tmp_path / "similarity"
    write_similarity(tmp_path, {"a": b"1", "b": b"2"}, GIVEN, alike)
    write_similarity(tmp_path, {"a": b"1"}, GIVEN, alike)
    assert [path.name for path in (folder / "submissions").iterdir()] == ["a.py"]
    assert (folder / "template" / "search.py").read_bytes() == GIVEN
    assert "compare50" in (folder / "README.txt").read_text()
    row = {"kind": SAME, "group": "1", "submissions": "'=a b"}
    assert rows_of(folder / "similarity.csv") == [row]


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
