"""Who is meant: class lists, and names of every kind."""

import pytest
from helpers import cases

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
JANE = Student("Jane Doé", "007", "jane@example.edu", "A", "12345")
BO = Student("Bo Kim", "12", "bo@example.edu")
ANNA = Student("Anna Kim", "13", "ak@x.edu")
LUKASZ = Student("Łukasz Ray", "21", "l1@x.edu")
NAMESAKE = Student("Lukasz Ray", "22", "l2@x.edu")


class TestNames:
    """One rule for whom a name means, the surest kind of name first."""

    @pytest.fixture
    def finder(self):
        return Finder([(JANE, "submission_7"), (BO, "submission_34"), (ANNA, "hw")])

    @pytest.mark.parametrize("name", cases("names of a student"))
    def test_a_student_is_found_by_every_name_that_people_and_files_have(
        self, finder, name
    ):
        assert finder.find(name) == [(JANE, "submission_7")]

    @pytest.mark.parametrize(
        "name, student",
        [
            ("12", BO),
            ("34", BO),
            ("bo", BO),
            ("HW ", ANNA),
            ("anna kim", ANNA),
        ],
    )
    def test_others_are_not_taken_for_the_student(self, finder, name, student):
        assert [found for found, _ in finder.find(name)] == [student]

    def test_a_sid_goes_before_a_number(self):
        finder = Finder([(BO, "submission_13"), (ANNA, "b")])
        assert finder.find("13") == [(ANNA, "b")]

    @pytest.mark.parametrize("name", ["kim", "", "nobody", "an"])
    def test_a_part_of_a_name_finds_nobody(self, finder, name):
        assert finder.find(name) == []

    def test_a_name_that_is_another_students_login_asks_for_the_sid(self):
        wei = Student("Wei Li", "14", "wei@x.edu")
        liwei = Student("Anna Lund", "15", "liwei@x.edu")
        with pytest.raises(Refused, match="liwei: 2 have this name; write the sid"):
            Finder([(wei, "a"), (liwei, "b")]).find_unambiguous("liwei")

    def test_a_part_of_a_name_does_where_it_is_asked_for(self, finder):
        both = [(BO, "submission_34"), (ANNA, "hw")]
        assert finder.find("kim", partly=True) == both
        assert finder.find("nobody", partly=True) == []
        assert finder.find("", partly=True) == []


class TestUnambiguousNames:
    def test_several_students_of_a_name_are_listed_for_the_sid(self):
        finder = Finder([(LUKASZ, "a"), (NAMESAKE, "")])
        line = "ONLY: lukasz ray: 2 have this name; write the sid: "
        with pytest.raises(Refused) as error:
            finder.find_unambiguous("lukasz ray", "ONLY: ")
        assert str(error.value) == f"{line}Łukasz Ray 21 (a), Lukasz Ray 22 ()"

    def test_several_submissions_of_one_student_are_not_ambiguous(self):
        owners = [(LUKASZ, "a"), (LUKASZ, "b")]
        assert Finder(owners).find_unambiguous("21") == owners

    def test_nor_is_one_submission_of_partners(self):
        owners = [(LUKASZ, "a"), (ANNA, "a")]
        assert Finder(owners).find_unambiguous("a") == owners


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
        assert {student.email for student in roster} == {JANE.email, BO.email}

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
        assert read(b"name,sid\nJane,\n,7\n") == [Student("", "7")]
