"""Check how class lists are read, and which students a name finds."""

import re

import pytest
from helpers import cases, refusal_of, tables_beside, write

from autograder.course.entries import Entry, Finder
from autograder.course.roster import read_roster
from autograder.course.students import Student, Submission, words_of
from gametree.support.errors import InputError

ENTRIES = []
for id, students in tables_beside(__file__)["entries"].items():
    for fields in students:
        ENTRIES.append(Entry(Student(*fields), Submission(id, origin=id)))
FINDER = Finder(ENTRIES)


@cases("entries by name")
def test_a_name_finds_students_exactly_by_the_most_reliable_kind_of_name(name, found):
    assert [entry.submission.id for entry in FINDER.find(name)] == found


@cases("ambiguous names")
def test_a_name_that_two_students_may_have_is_refused_in_one_line(name, found):
    advice = "write the e-mail address or the whole sid"
    line = f"ONLY: {name}: 2 may have this name; {advice}: {found}"
    assert refusal_of(FINDER.find, name, "ONLY: ") == line


@cases("names that resemble another")
def test_a_name_that_only_resembles_another_is_a_question(name, hint):
    assert FINDER.find(name) == []
    assert FINDER.suggest(name) == hint


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads the class list with these bytes."""
    monkeypatch.chdir(tmp_path)

    def read_bytes(content):
        write(tmp_path, {"list.csv": content})
        return read_roster(tmp_path.joinpath("list.csv").relative_to(tmp_path))

    return read_bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@cases("class lists")
def test_the_class_list_of_each_platform_is_read(text, read, encoding):
    roster = read(text.encode(encoding))
    students = roster.students
    names = [" ".join(sorted(words_of(student.name))) for student in students]
    assert names == ["doe zoe", "bo kim"]
    assert [student.name[-1] for student in students] != ["?", "?"]
    assert [student.sid for student in students] == ["007", "008"]
    emails = [student.email for student in students]
    assert emails == ["zoe@example.edu", "bo@example.edu"]


@cases("rows of class lists")
def test_each_row_that_is_refused_or_changed_is_named_in_one_line(row, sid, remark, read):
    roster = read(f"Name,SID,Email,Role\nAda,1,a@x.edu,Student\n{row}\n".encode())
    assert [student.sid for student in roster.students] == sid
    remarks = "\n".join(roster.remarks)
    assert re.sub("list.csv[,:] ", "", remarks) == remark


HEADINGS = "ROSTER=list.csv, line 1: not .*; write name and at least one of sid, email and"
SPREADSHEET = "list.csv is a spreadsheet; save it as CSV"
NOT_LISTS = [
    (b"", HEADINGS),
    (b"a,b\n1,2\n", HEADINGS),
    (b"name\nJane\n", HEADINGS),
    (b"sid\n7\n", HEADINGS),
    (b"PK\3\4...", SPREADSHEET),
    (b"\xd0\xcf\x11\xe0...", SPREADSHEET),
    (b"Name,SID\n,\n", "ROSTER=list.csv: no students below the headings"),
]


@pytest.mark.parametrize("content, line", NOT_LISTS)
def test_a_file_that_is_not_a_class_list_is_refused_in_one_line(read, content, line):
    with pytest.raises(InputError, match=line):
        read(content)


def test_a_column_of_an_adviser_renames_nobody(read):
    roster = read(b"Name,First Name,Last Name,SID\nAnn Roe,Bo,Kim,1\n")
    assert [student.name for student in roster.students] == ["Bo Kim"]
    assert roster.remarks == ["list.csv: the first and last names count, not Name"]
