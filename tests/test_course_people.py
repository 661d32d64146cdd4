"""Who is meant: class lists, and names of every kind."""

import pytest
from helpers import cases, tables

from autograder.command import Refused
from autograder.course.people import (
    Owner,
    Student,
    find_owners,
    parse_roster,
    read_roster,
    words_of,
)
from autograder.course.tables import parse_table

OWNERS = []
for id, students in tables("cases")["owners"].items():
    for fields in students:
        OWNERS.append(Owner(Student(*fields), id))


@pytest.mark.parametrize("name, found", cases("owners by name"))
def test_one_rule_for_whom_a_name_means_the_surest_kind_of_name_first(name, found):
    if isinstance(found, list):
        assert [owner.id for owner in find_owners(name, OWNERS)] == found
        return
    with pytest.raises(Refused) as error:
        find_owners(name, OWNERS, "ONLY: ")
    assert str(error.value) == f"ONLY: {name}: 2 have this name; write the sid: {found}"


def read(content):
    """Return the Students in the bytes of a class list."""
    return parse_roster(parse_table(content, "roster.csv"), "roster.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", cases("class lists"))
def test_each_platforms_list_is_read(text, encoding):
    students = read(text.encode(encoding))
    names = [" ".join(sorted(words_of(student.name))) for student in students]
    assert names == ["doe jane", "bo kim"]
    assert [student.sid for student in students] == ["007", "008"]
    emails = [student.email for student in students]
    assert emails == ["jane@example.edu", "bo@example.edu"]


def test_an_identifier_of_github_classroom_is_a_sid_an_address_or_a_name():
    heading = b"identifier,github_username,github_id,name\n"
    assert read(heading + b"007,jd,1,\nbo@x.edu,bk,2,Bo\nAda King,ak,3,\n") == [
        Student(sid="007", login="github jd"),
        Student("Bo", email="bo@x.edu", login="github bk"),
        Student("Ada King", login="github ak"),
    ]


@pytest.mark.parametrize("text", [b"", b"a,b\n1,2\n", b"name\nJane\n", b"sid\n7\n"])
def test_what_is_no_class_list_is_one_line(text):
    with pytest.raises(Refused, match="roster.csv: not a class list: it needs"):
        read(text)


def test_a_class_list_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(Refused, match="cannot be read: No such file"):
        read_roster(tmp_path / "nowhere.csv")


def test_a_row_without_anything_that_identifies_is_of_no_student():
    assert read(b"name,sid\nJane,\nBo,7\n") == [Student("Bo", "7")]
