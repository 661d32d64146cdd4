"""Who is meant: class lists, and names of every kind."""

import pytest
from helpers import cases, tables

from autograder.command import Refused
from autograder.course.people import Finder, Student, read_roster

GRADESCOPE = """First Name,Last Name,SID,Email,Role,Section
Jane,Doe,007,jane@example.edu,Student,A
Bo,Kim,008,bo@example.edu,Student,B
Tim,Assistant,1,ta@example.edu,TA,
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section
    Points Possible,,,,
"Doe, Jane",12345,007,jane@example.edu,A
"Kim, Bo",222,008,bo@example.edu,B
"""
BRIGHTSPACE = """OrgDefinedId,Username,Last Name,First Name,Email
#007,jd,Doe,Jane,jane@example.edu
#008,bk,Kim,Bo,bo@example.edu
"""
OWNERS = []
for id, students in tables("cases")["owners"].items():
    for fields in students:
        OWNERS.append((Student(*fields), id))


@pytest.mark.parametrize("name, ids", cases("owners by name"))
def test_one_rule_for_whom_a_name_means_the_surest_kind_of_name_first(name, ids):
    assert [id for _, id in Finder(OWNERS).find(name)] == ids


@pytest.mark.parametrize("name, found", cases("owners by a part of a name"))
def test_several_students_of_a_name_are_listed_for_the_sid(name, found):
    finder = Finder(OWNERS)
    if isinstance(found, list):
        assert [id for _, id in finder.find_unambiguous(name, partly=True)] == found
        return
    with pytest.raises(Refused) as error:
        finder.find_unambiguous(name, "ONLY: ", partly=True)
    assert str(error.value) == f"ONLY: {name}: 2 have this name; write the sid: {found}"


class TestRosters:
    @pytest.fixture
    def read(self, tmp_path):
        """A function that reads a text as a class list."""

        def reading(content):
            (tmp_path / "roster.csv").write_bytes(content)
            return read_roster(tmp_path / "roster.csv")

        return reading

    @pytest.mark.parametrize(
        "content",
        [
            GRADESCOPE.encode("utf-8-sig"),
            CANVAS.encode(),
            GRADESCOPE.replace(",", ";").encode(),
            GRADESCOPE.replace(",", "\t").encode("utf-16"),
            BRIGHTSPACE.encode(),
        ],
        ids=["Gradescope", "Canvas", "Excel", "Unicode text", "Brightspace"],
    )
    def test_each_platforms_list_is_read(self, read, content):
        roster = read(content)
        assert [student.sid for student in roster] == ["007", "008"]
        emails = [student.email for student in roster]
        assert emails == ["jane@example.edu", "bo@example.edu"]

    def test_an_identifier_of_github_classroom_is_a_sid_an_address_or_a_name(self, read):
        heading = b"identifier,github_username,github_id,name\n"
        roster = read(heading + b"007,jd,1,\nbo@x.edu,bk,2,Bo\nAda King,ak,3,\n")
        assert roster == [
            Student(sid="007", login="github jd"),
            Student("Bo", email="bo@x.edu", login="github bk"),
            Student("Ada King", login="github ak"),
        ]

    @pytest.mark.parametrize("text", [b"", b"a,b\n1,2\n", b"name\nJane\n", b"sid\n7\n"])
    def test_what_is_no_class_list_is_one_line(self, read, text):
        with pytest.raises(Refused, match="roster.csv: not a class list: it needs"):
            read(text)

    def test_a_class_list_that_is_not_there_is_one_line(self, tmp_path):
        with pytest.raises(Refused, match="cannot be read: No such file"):
            read_roster(tmp_path / "nowhere.csv")

    def test_a_row_without_anything_that_identifies_is_of_no_student(self, read):
        assert read(b"name,sid\nJane,\nBo,7\n") == [Student("Bo", "7")]
