"""Text of strangers: the lines of a program are those that Python counts."""

import pytest

from autograder.plaintext import program_lines


@pytest.mark.parametrize(
    "source, lines",
    [
        (b"a\nb\r\nc\rd", ["a", "b", "c", "d"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"# coding: latin-1\n\xe9", ["# coding: latin-1", "\xe9"]),
        (b"a\x0cb\nc", ["a\x0cb", "c"]),
        ("a\u2028b\nc".encode(), ["a\u2028b", "c"]),
        (b"a\xff\nb", ["a\ufffd", "b"]),
        (b"# coding: nonsense\nb", ["# coding: nonsense", "b"]),
        (b"# coding: idna\nb", ["# coding: idna", "b"]),
        (b"# coding: undefined\nb", ["# coding: undefined", "b"]),
    ],
    ids=["line ends", "a byte order mark", "an encoding", "a form feed", "a separator",
         "a wrong byte", "no such encoding", "one that replaces nothing", "one that fails"],
)  # fmt: skip
def test_the_lines_of_a_program_are_those_that_python_counts(source, lines):
    assert program_lines(source) == lines
