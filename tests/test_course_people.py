"""Check how class lists are read, and which students a name finds."""

import pytest
from helpers import cases, tables

from autograder.course.people import (
    Owner,
    Student,
    find_owners,
    parse_roster,
    read_roster,
    words_of,
)
from autograder.course.tables import parse_table
from gametree.support.errors import InputError

OWNERS = []
for id, students in tables("cases")["owners"].items():
    for fields in students:
        OWNERS.append(Owner(Student(*fields), id))


@pytest.mark.parametrize("name, found", cases("owners by name"))
def test_a_name_finds_students_by_the_most_reliable_kind_of_name(name, found):
    if isinstance(found, list):
        assert [owner.id for owner in find_owners(name, OWNERS)] == found
        return
    with pytest.raises(InputError) as error:
        find_owners(name, OWNERS, "ONLY: ")
    assert str(error.value) == f"ONLY: {name}: 2 have this name; write the sid: {found}"


def parse(content):
    """Return the students in the bytes of a class list."""
    return parse_roster(parse_table(content, "roster.csv"), "roster.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", cases("class lists"))
def test_the_class_list_of_each_platform_is_read(text, encoding):
    students = parse(text.encode(encoding))
    names = [" ".join(sorted(words_of(student.name))) for student in students]
    assert names == ["doe jane", "bo kim"]
    assert [student.sid for student in students] == ["007", "008"]
    emails = [student.email for student in students]
    assert emails == ["jane@example.edu", "bo@example.edu"]


def test_an_identifier_of_github_classroom_is_a_sid_an_address_or_a_name():
    heading = b"identifier,github_username,github_id,name\n"
    assert parse(heading + b"007,jd,1,\nbo@x.edu,bk,2,Bo\nAda King,ak,3,\n") == [
        Student(sid="007", login="github jd"),
        Student("Bo", email="bo@x.edu", login="github bk"),
        Student("Ada King", login="github ak"),
    ]


@pytest.mark.parametrize("text", [b"", b"a,b\n1,2\n", b"name\nJane\n", b"sid\n7\n"])
def test_a_file_that_is_not_a_class_list_is_refused_in_one_line(text):
    with pytest.raises(InputError, match="roster.csv: not a class list: it needs"):
        parse(text)


def test_a_missing_class_list_is_refused_in_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_roster(tmp_path / "nowhere.csv")


def test_a_row_that_identifies_no_student_is_skipped():
    assert parse(b"name,sid\nJane,\nBo,7\n") == [Student("Bo", "7")]
