"""Who is meant: class lists, and names of every kind."""

from dataclasses import replace

import pytest

from autograder.course.download import Course, Submission, with_roster
from autograder.course.people import CourseError, Finder, Student, read_roster

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
BO, ANNA = Student("Bo Kim", "12", "bo@example.edu"), Student("Anna Kim", "13", "ak@x.edu")
TWO = Student("Łukasz Ray", "21", "l1@x.edu"), Student("Lukasz Ray", "22", "l2@x.edu")


class TestNames:
    """One rule for whom a name means, the surest kind of name first."""

    def test_a_student_is_found_by_every_name_that_people_and_files_have(self):
        finder = Finder([(JANE, "submission_7"), (BO, "submission_34"), (ANNA, "hw")])
        names = {
            JANE: ["007", "7", "JANE@example.edu", "jane", "12345", "submission_7",
                   "Jane Doe", "doe, jane", "doejane", "JANE DOÉ", "Doe_Jane",
                   "Doe, Jane <jane@example.edu>", "Jane _jane@example.edu_",
                   '"Jane Doé" <private@home.org>'],
            BO: ["12", "34", "bo", "Kim, Bo"],
            ANNA: ["hw", "HW ", "anna kim"],
        }  # fmt: skip
        wrong = [
            name
            for student, all_of_one in names.items()
            for name in all_of_one
            if [who for who, _ in finder.find(name)] != [student]
        ]
        assert wrong == []

    def test_a_part_of_a_name_does_where_it_is_asked_for(self):
        finder = Finder([(BO, "submission_13"), (ANNA, "b")])
        assert finder.find("13") == [(ANNA, "b")]  # a sid goes before a number
        assert finder.find("kim") == finder.find("") == finder.find("nobody", True) == []
        assert finder.find("kim", partly=True) == [(BO, "submission_13"), (ANNA, "b")]


class TestRosters:
    def test_fill_in_sids_and_sections_and_name_who_is_absent(self, tmp_path):
        in_excel = GRADESCOPE.replace(",", ";")
        for text in (GRADESCOPE, CANVAS, in_excel):
            (tmp_path / "roster.csv").write_text("\ufeff" + text)
            roster = read_roster(tmp_path / "roster.csv")
            assert [one.sid for one in roster] == ["007", "008"]
            submitted = Submission("doejane_12345", (Student("doejane", number="12345"),))
            stranger = Submission("x", (Student("Zed", "9"),), note="late")
            course = with_roster(Course((submitted, stranger)), roster)
            [jane] = course.submissions[0].students
            assert (jane.sid, jane.email, jane.section) == ("007", "jane@example.edu", "A")
            assert course.submissions[1].students[0].unlisted == "not in the roster"
            assert [one.sid for one in course.absent] == ["008"]

    def test_a_number_of_canvas_is_no_sid(self):
        roster = [replace(JANE, number="12"), BO]
        course = Course((Submission("a", (Student("doejane", number="12"),)),))
        assert with_roster(course, roster).submissions[0].students == (roster[0],)
        assert [who for who, _ in Finder((who, "") for who in roster).find("12")] == [BO]

    def test_a_name_that_two_have_finds_nobody_and_asks_for_the_sid(self):
        course = Course((Submission("a", (Student("lukaszray"),)),))
        course = with_roster(course, TWO)
        assert course.absent == TWO
        [student] = course.submissions[0].students
        assert student.unlisted == "2 in the roster are called lukaszray: which sid?"

    def test_a_folder_is_whose_sid_or_name_stands_in_it_unmistakably(self):
        roster = [replace(one, sid=f"u10{one.sid}") for one in (BO, ANNA, *TWO)]
        names = {
            "u1013": ["Kim, Anna (u1013)", "u1013_late"], "u1012": ["Kim, Bo 1", "u1012-2"],
            "u1021": ["Łukasz Ray (u1021)"], "": ["Ray, Lukasz 2", "Bo Kim u1013", "u101"],
        }  # fmt: skip
        for sid, name in [(sid, name) for sid, own in names.items() for name in own]:
            course = with_roster(Course((Submission(name),)), roster)
            [student] = course.submissions[0].students
            assert (student.sid, bool(student.unlisted)) == (sid, not sid), name

    def test_what_is_no_class_list_is_one_line(self, tmp_path):
        for text in ("", "a,b\n1,2\n", "name\nJane\n"):
            (tmp_path / "roster.csv").write_text(text)
            with pytest.raises(CourseError, match="roster.csv: no class list: it needs"):
                read_roster(tmp_path / "roster.csv")
        with pytest.raises(CourseError, match="cannot be read: No such file"):
            read_roster(tmp_path / "nowhere.csv")
