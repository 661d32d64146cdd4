"""Downloads of Canvas and Moodle, sections, near misses, class lists: nobody vanishes."""

import pytest
from fixtures.make_class import make_class
from test_course_export import SEARCH, folder_of, submissions, zip_of

from autograder.course.downloads import Download, download_of
from autograder.course.export import (
    Course,
    CourseError,
    Rules,
    Student,
    Submission,
    read_course,
)
from autograder.course.roster import read_roster, with_roster

CANVAS = {
    "doejane_LATE_12345_678_search-1.py": SEARCH,
    "kimbo_222_901_search.py": SEARCH,
    "kimbo_222_901_notes.txt": b"",
    "leeann_333_902_hw.ipynb": b"{}",
    "o'neil_444_903_Search (1).py": SEARCH,
    "pazed_555_904_search.zip": b"PK",
    "quoflo_666_905_search.rar": b"Rar!",
}
METADATA = """---
submission_1:
  :submitters:
  - :name: Ada
    :sid: '1'
    :email: ada@example.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-12-01 22:58:59.123456000 Z
    zone: !ruby/object:ActiveSupport::TimeZone
      name: Etc/UTC
    time: 2026-12-01 22:58:59.123456000 Z
  :score: 86.5
  :results:
    score: 1.0
"""
EXPORT = {"submission_metadata.yml": METADATA.encode(), "submission_1/search.py": SEARCH}


class TestNames:
    @pytest.mark.parametrize(
        "name, expected",
        [
            (
                "doejane_LATE_12345_678_search-1.py",
                Download("doejane", "12345", "search.py", late=True, again=1),
            ),
            ("kimbo_222_901_my_search.py", Download("kimbo", "222", "my_search.py")),
            ("eve_1_2_x_3_4_search.py", Download("eve", "1", "x_3_4_search.py")),
            (
                "Jane Doe_123_assignsubmission_file_",
                Download("Jane Doe", "participant 123", ""),
            ),
            ("Bo_7_assignsubmission_file", Download("Bo", "participant 7", "")),
            (
                "Bo Kim_7_assignsubmission_file_search.py",
                Download("Bo Kim", "participant 7", "search.py"),
            ),
            (
                "Bo_7_assignsubmission_file_9_assignsubmission_file_search.py",
                Download("Bo", "participant 7", "9_assignsubmission_file_search.py"),
            ),
            ("search.py", None),
            ("submission_123", None),
            ("hw_1.py", None),
        ],
    )
    def test_whose_a_download_is(self, name, expected):
        assert download_of(name) == expected


class TestLayouts:
    def test_a_canvas_folder_has_a_row_for_each_student(self, tmp_path):
        folder = folder_of(tmp_path, CANVAS)
        zip_of(folder / "pazed_555_904_search.zip", {"hw/search.py": SEARCH})
        course = submissions(folder)
        assert len(course) == 6
        jane = course["doejane_12345"]
        assert jane.source == SEARCH and jane.note == "late, by Canvas"
        assert jane.students == (Student(name="doejane", number="12345"),)
        assert course["kimbo_222"].source == course["pazed_555"].source == SEARCH
        assert "hw.ipynb is a notebook" in str(course["leeann_333"].refusal)
        assert "rename Search (1).py to search.py" in str(course["o'neil_444"].refusal)
        assert "search.rar is an archive" in str(course["quoflo_666"].refusal)

    def test_of_a_file_that_came_again_the_newest_is_taken(self, tmp_path):
        names = ("b_1_2_search.py", "b_1_2_search-1.py", "b_1_2_search-10.py")
        files = {name: name.encode() for name in names}
        assert submissions(folder_of(tmp_path, files))["b_1"].source == names[-1].encode()

    def test_moodle_has_folders_or_a_flat_one(self, tmp_path):
        files = {
            "Jane Doe_12_assignsubmission_file_/search.py": SEARCH,
            "Jane Doe_12_assignsubmission_onlinetext_/onlinetext.html": b"hello",
            "Bo Kim_34_assignsubmission_file_search.py": SEARCH,
            "Ed_56_assignsubmission_file_/": b"",
        }
        course = submissions(folder_of(tmp_path, files))
        assert course["Jane Doe_12"].students == (
            Student("Jane Doe", number="participant 12"),
        )
        assert course["Bo Kim_34"].source == SEARCH
        assert (
            str(course["Ed_56"].refusal) == "no search.py in the submission; found: nothing"
        )

    def test_a_zip_in_a_students_folder_is_looked_into(self, tmp_path):
        folder = folder_of(tmp_path, {"Jo_1_assignsubmission_file_/": b""})
        zip_of(folder / "Jo_1_assignsubmission_file_" / "a.zip", {"search.py": SEARCH})
        assert submissions(folder)["Jo_1"].source == SEARCH

    def test_each_of_two_sections_is_read_whatever_it_is(self, tmp_path):
        files = {f"A/{name}": content for name, content in EXPORT.items()}
        files |= {"C/kimbo_222_901_search.py": SEARCH, "readme.txt": b""}
        folder = folder_of(tmp_path, files)
        zip_of(folder / "B.zip", {f"export/{name}": EXPORT[name] for name in EXPORT})
        course = read_course(folder)
        sections = [(one.id, one.students[0].section) for one in course.submissions]
        assert sections == [
            ("kimbo_222", "C"),
            ("submission_1", "A"),
            ("submission_1-2", "B"),
        ]
        assert course.remarks == ("readme.txt is no submission: neither .py nor .zip",)

    @pytest.mark.parametrize("name", ["class", "class.zip", "mac", "canvas", "moodle"])
    def test_no_student_is_lost_in_any_layout(self, tmp_path, name):
        """A made-up class of 60, as Gradescope, a Mac, Canvas and Moodle hand it over."""
        made = make_class(tmp_path / "class", submissions=60)
        make_class(tmp_path / "class.zip", submissions=60)
        mac = tmp_path / "mac" / "assignment_7_export"
        mac.parent.mkdir()
        [top] = (tmp_path / "class").rglob("submission_metadata.yml")
        top.parent.rename(mac) if name == "mac" else None
        for place in ("canvas", "moodle"):
            (tmp_path / place).mkdir()
        source = mac if name == "mac" else top.parent
        for number, folder in enumerate(sorted(made)):
            files = [f for f in sorted((source / folder).rglob("*")) if f.is_file()]
            moodle = tmp_path / "moodle" / f"Stu Dent_{number}_assignsubmission_file_"
            moodle.mkdir()
            for file in files:
                (moodle / file.name).write_bytes(file.read_bytes())
                flat = f"dentstu_{number}_{900 + number}_{file.name}"
                (tmp_path / "canvas" / flat).write_bytes(file.read_bytes())
        handed_in = (
            60
            if name != "canvas"
            else sum(
                any(f.is_file() for f in (source / folder).rglob("*")) for folder in made
            )
        )
        course = submissions(tmp_path / name)
        assert len(course) == handed_in
        assert all(one.source is not None or one.refusal for one in course.values())


class TestNearMisses:
    def test_they_are_graded_and_flagged_where_the_rubric_says_so(self, tmp_path):
        files = {
            "a/Search.py": SEARCH,
            "b_1_2_search (1).py": SEARCH,
            "c/search.py": SEARCH,
        }
        course = read_course(folder_of(tmp_path, files), Rules(near=True)).submissions
        assert [one.note for one in course] == [
            "Search.py was taken for search.py",
            "search (1).py was taken for search.py",
            "",
        ]
        assert {one.source for one in course} == {SEARCH}


class TestMetadata:
    def test_when_it_came_and_what_gradescope_gave_are_read(self, tmp_path):
        one = submissions(folder_of(tmp_path, EXPORT))["submission_1"]
        assert (one.handed_in, one.score) == ("2026-12-01T22:58:59+00:00", 8650)

    @pytest.mark.parametrize(
        "written, read",
        [
            (":created_at: 2026-12-01 23:00:00.5 +0100", "2026-12-01T23:00:00+01:00"),
            (":created_at: '2026-12-01T23:00:00Z'", "2026-12-01T23:00:00+00:00"),
            (":created_at: yesterday", ""),
            (":created_at:", ""),
        ],
    )
    def test_a_time_is_read_as_it_is_written_or_left_out(self, tmp_path, written, read):
        text = METADATA[: METADATA.index("  :created_at")] + f"  {written}\n  :score:\n"
        files = {**EXPORT, "submission_metadata.yml": text.encode()}
        one = submissions(folder_of(tmp_path, files))["submission_1"]
        assert (one.handed_in, one.score) == (read, None)


GRADESCOPE = """First Name,Last Name,SID,Email,Role,Section
Jane,Doe,007,jane@example.edu,Student,A
Bo,Kim,008,bo@example.edu,Student,B
Tim,Assistant,1,ta@example.edu,TA,
"""
CANVAS_LIST = """Student,ID,SIS User ID,SIS Login ID,Section
    Points Possible,,,,
"Doe, Jane",12345,007,jane@example.edu,A
"Kim, Bo",222,008,bo@example.edu,B
"""


class TestRosters:
    @pytest.mark.parametrize(
        "text", [GRADESCOPE, CANVAS_LIST], ids=["gradescope", "canvas"]
    )
    def test_fill_in_sids_and_sections_and_name_who_is_absent(self, tmp_path, text):
        (tmp_path / "roster.csv").write_text("\ufeff" + text)
        roster = read_roster(tmp_path / "roster.csv")
        assert [one.sid for one in roster] == ["007", "008"]
        submitted = Submission("doejane_12345", (Student("doejane", number="12345"),))
        stranger = Submission("x", (Student("Zed", "9"),), note="late")
        course = with_roster(Course((submitted, stranger)), roster)
        [jane] = course.submissions[0].students
        assert (jane.sid, jane.email, jane.section) == ("007", "jane@example.edu", "A")
        assert course.submissions[1].note == "late; not in the roster"
        assert [one.sid for one in course.absent] == ["008"]

    def test_a_name_that_two_have_finds_nobody(self):
        roster = [Student("Jane Doe", "1"), Student("Doe Jane", "2")]
        course = Course((Submission("a", (Student("janedoe"),)),))
        assert with_roster(course, roster).absent == tuple(roster)

    @pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "name\nJane\n"])
    def test_what_is_no_class_list_is_one_line(self, tmp_path, text):
        (tmp_path / "roster.csv").write_text(text)
        with pytest.raises(CourseError, match="roster.csv: no class list: it needs"):
            read_roster(tmp_path / "roster.csv")
        with pytest.raises(CourseError, match="cannot be read: No such file"):
            read_roster(tmp_path / "nowhere.csv")
