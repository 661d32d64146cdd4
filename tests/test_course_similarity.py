"""Programs that are equal, and what in a program the assignment does not need."""

import pytest
from fixtures.make_class import rows_of
from helpers import ROOT

from autograder.course.programs import (
    find_alike,
    find_unneeded,
    write_similarity,
)

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
OTHER_COMMENTS = OTHER_NAMES.replace(COMMENT, b'    """Mine."""\n\n')
BROKEN = b"def f(:\n  ''' \xff (((" + b"[" * 5000
CORRECT = [*sorted((ROOT / "solution/correct").glob("*.py")), ROOT / "solution/search.py"]


class TestSimilarPrograms:
    def test_other_names_comments_and_blanks_do_not_make_another_program(self):
        programs = {"b": PROGRAM, "a": PROGRAM, "c": OTHER_COMMENTS, "d": b"x = 1\n"}
        assert find_alike(programs, GIVEN) == [["a", "b", "c"]]

    @pytest.mark.parametrize(
        "old, new",
        [
            (b"depth - 1", b"depth - 2"),
            (b"max(flurbs)", b"max(kid)"),
            (b"node.children", b"node.evaluate"),
            (b"not maximizing", b"maximizing"),
        ],
    )
    def test_other_code_is_another_program(self, old, new):
        programs = {"a": PROGRAM, "b": PROGRAM.replace(old, new, 1)}
        assert programs["a"] != programs["b"]
        assert find_alike(programs, GIVEN) == []

    @pytest.mark.parametrize("source", [GIVEN, b"", b"# nothing\n"])
    def test_what_everybody_was_given_is_nobodys(self, source):
        assert find_alike({"a": source, "b": source}, GIVEN) == []

    def test_what_is_no_program_is_compared_as_text(self):
        assert find_alike({"a": BROKEN, "b": BROKEN}, GIVEN) == [["a", "b"]]

    def test_the_largest_group_comes_first(self):
        programs = dict.fromkeys("ab", b"x = 1\n") | dict.fromkeys("cde", PROGRAM)
        programs |= dict.fromkeys("fg", b"x = 2\n")
        assert find_alike(programs, GIVEN) == [["c", "d", "e"], ["a", "b"], ["f", "g"]]


def test_a_folder_is_ready_for_moss_and_compare50(tmp_path):
    write_similarity(tmp_path, {"a": b"1", "b": b"2", "c": b"3"}, GIVEN)
    groups = write_similarity(tmp_path, {"=a": b"1", "b": b"1"}, GIVEN)
    assert groups == [["=a", "b"]]
    folder = tmp_path / "similarity"
    names = sorted(path.name for path in (folder / "submissions").iterdir())
    assert names == ["=a.py", "b.py"]
    assert (folder / "template" / "search.py").read_bytes() == GIVEN
    assert "compare50" in (folder / "README.txt").read_text()
    row = {"group": "1", "submissions": "'=a b"}
    assert rows_of(folder / "similarity.csv") == [row]


class TestUnneeded:
    def test_what_is_not_needed_is_named_in_order(self):
        source = b"import subprocess, os\nos._exit(0)\neval('1')\nopen('/autograder/x')\n"
        assert find_unneeded(source) == ["/autograder", "eval", "os._exit", "subprocess"]

    def test_four_names_are_enough(self):
        source = b"socket mmap ctypes urllib requests"
        assert find_unneeded(source) == ["ctypes", "mmap", "requests", "socket"]

    def test_a_word_without_end_is_cut(self):
        (word,) = find_unneeded(b"signal." + b"a" * 700_000)
        assert len(word) < 80

    @pytest.mark.parametrize(
        "line",
        [b"# subprocess, os._exit", b"node.eval(1)", b"re.compile('x')", b"mysocket = 1"],
    )
    def test_comments_and_likely_names_are_innocent(self, line):
        assert find_unneeded(line) == []

    @pytest.mark.parametrize("path", CORRECT, ids=lambda path: path.stem)
    def test_no_right_program_has_any(self, path):
        assert find_unneeded(path.read_bytes()) == []
