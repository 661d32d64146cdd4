"""Who is meant: class lists, and names of every kind."""

from dataclasses import replace

import pytest

from autograder.command import Refused
from autograder.course.download import with_roster
from autograder.course.people import Finder, Student, read_roster
from autograder.course.submissions import Course, Submission

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

    @pytest.mark.parametrize(
        "name",
        [
            "007",
            "7",
            "JANE@example.edu",
            "jane",
            "12345",
            "submission_7",
            "Jane Doe",
            "doe, jane",
            "doejane",
            "JANE DOÉ",
            "Doe_Jane",
            "Doe, Jane <jane@example.edu>",
            "Jane _jane@example.edu_",
            '"Jane Doé" <private@home.org>',
        ],
    )
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

    def test_a_part_of_a_name_does_where_it_is_asked_for(self, finder):
        both = [(BO, "submission_34"), (ANNA, "hw")]
        assert finder.find("kim", partly=True) == both
        assert finder.find("nobody", partly=True) == []
        assert finder.find("", partly=True) == []


class TestUnambiguousNames:
    def test_several_students_of_a_name_are_listed_for_the_sid(self):
        finder = Finder([(LUKASZ, "a"), (NAMESAKE, "")])
        line = "ONLY: lukasz ray: 2 have that name; write the sid: "
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

        def reading(text):
            (tmp_path / "roster.csv").write_text(text)
            return read_roster(tmp_path / "roster.csv")

        return reading

    @pytest.mark.parametrize(
        "text",
        [GRADESCOPE, CANVAS, GRADESCOPE.replace(",", ";")],
        ids=["Gradescope", "Canvas", "Excel"],
    )
    def test_fill_in_sids_and_sections_and_name_who_is_absent(self, read, text):
        roster = read("\ufeff" + text)
        assert [student.sid for student in roster] == ["007", "008"]
        submitted = Submission("doejane_12345", (Student("doejane", number="12345"),))
        stranger = Submission("x", (Student("Zed", "9"),), note="late")
        course = with_roster(Course((submitted, stranger)), roster)
        [jane] = course.submissions[0].students
        assert (jane.sid, jane.email, jane.section) == ("007", "jane@example.edu", "A")
        assert course.submissions[1].students[0].unlisted == "not in the roster"
        assert [student.sid for student in course.absent] == ["008"]

    def test_a_number_of_canvas_is_no_sid(self):
        jane = replace(JANE, number="12")
        course = Course((Submission("a", (Student("doejane", number="12"),)),))
        matched = with_roster(course, [jane, BO])
        assert matched.submissions[0].students == (jane,)
        finder = Finder([(jane, ""), (BO, "")])
        assert finder.find("12") == [(BO, "")]

    def test_a_name_that_two_have_finds_nobody_and_asks_for_the_sid(self):
        course = Course((Submission("a", (Student("lukaszray"),)),))
        course = with_roster(course, (LUKASZ, NAMESAKE))
        assert course.absent == (LUKASZ, NAMESAKE)
        [student] = course.submissions[0].students
        assert student.unlisted == "2 in the roster are called lukaszray: which sid?"

    @pytest.mark.parametrize(
        "folder, sid",
        [
            ("Kim, Anna (u1013)", "u1013"),
            ("u1013_late", "u1013"),
            ("Kim, Bo 1", "u1012"),
            ("Łukasz Ray (u1021)", "u1021"),
            ("Ray, Lukasz 2", ""),
            ("Bo Kim u1013", ""),
            ("u101", ""),
            ("Anna", ""),
        ],
    )
    def test_a_folder_is_whose_sid_or_name_stands_in_it_unmistakably(self, folder, sid):
        students = (BO, ANNA, LUKASZ, NAMESAKE)
        roster = [replace(student, sid=f"u10{student.sid}") for student in students]
        course = with_roster(Course((Submission(folder),)), roster)
        [student] = course.submissions[0].students
        assert student.sid == sid
        assert bool(student.unlisted) == (sid == "")

    def test_a_sid_of_two_characters_may_mean_anything(self):
        course = with_roster(Course((Submission("hw 13"),)), [ANNA])
        assert course.absent == (ANNA,)

    @pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "name\nJane\n", "sid\n7\n"])
    def test_what_is_no_class_list_is_one_line(self, read, text):
        with pytest.raises(Refused, match="roster.csv: no class list: it needs"):
            read(text)

    def test_a_class_list_that_is_not_there_is_one_line(self, tmp_path):
        with pytest.raises(Refused, match="cannot be read: No such file"):
            read_roster(tmp_path / "nowhere.csv")

    def test_a_row_without_anything_that_identifies_is_of_no_student(self, read):
        assert read("name,sid\nJane,\n,7\n") == [Student("", "7")]
