"""What in a program the assignment does not need."""

import pytest
from helpers import ROOT

from autograder.course.unneeded import find_unneeded

CORRECT = [*sorted((ROOT / "solution/correct").glob("*.py")), ROOT / "solution/search.py"]


def test_what_is_not_needed_is_named_in_order():
    source = b"import subprocess, os\nos._exit(0)\neval('1')\nopen('/autograder/x')\n"
    assert find_unneeded(source) == ["/autograder", "eval", "os._exit", "subprocess"]


def test_four_names_are_enough():
    source = b"socket mmap ctypes urllib requests"
    assert find_unneeded(source) == ["ctypes", "mmap", "requests", "socket"]


def test_a_word_without_end_is_cut():
    (word,) = find_unneeded(b"signal." + b"a" * 700_000)
    assert len(word) < 80


@pytest.mark.parametrize(
    "line",
    [b"# subprocess, os._exit", b"node.eval(1)", b"re.compile('x')", b"mysocket = 1"],
)
def test_comments_and_likely_names_are_innocent(line):
    assert find_unneeded(line) == []


@pytest.mark.parametrize("path", CORRECT, ids=lambda path: path.stem)
def test_no_right_program_has_any(path):
    assert find_unneeded(path.read_bytes()) == []
