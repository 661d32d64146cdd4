"""What is read of Canvas's and Moodle's names, and of submission_metadata.yml."""

import random

import pytest
from fixtures.make_class import metadata

from autograder.command import Refused
from autograder.course.people import Student
from autograder.course.platforms import (
    parse_download_name,
    parse_timestamp,
    read_metadata,
    split_entries,
)
from autograder.course.submissions import Submission

METADATA = """---
submission_12:
  :submitters:
  - :name: Åsa "Ö" O'Neil
    :sid: 00123
    :email: asa@example.edu
  - :name: Bo
    :sid: ''
    :email: bo@example.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: &1 2026-01-01 00:00:00 Z
    time: *1
  :results:
    tests:
    - output: |-
        :submitters:
        - :name: nobody
submission_9:
  :submitters:
    - :name: Cy
      :sid:
      :email: cy@example.edu
  :history: [1, 2, {a: b}]
"""
ASA = Student('Åsa "Ö" O\'Neil', "00123", "asa@example.edu")
BO = Student("Bo", "", "bo@example.edu")
CY = Student("Cy", "", "cy@example.edu")


def students_in(text=METADATA):
    """Return folder name -> Students."""
    submissions = read_metadata(text.encode(), "metadata.yml")
    return {name: submission.students for name, submission in submissions.items()}


class TestDownloadNames:
    @pytest.mark.parametrize(
        "name, id, number, file, attempt",
        [
            ("o'neil_222_901_Search (1).py", "o'neil_222", "222", "Search (1).py", 0),
            ("eve_1_2_search-1-2.py", "eve_1", "1", "search-1.py", 2),
            ("eve_1_2_x_3_4_search-1.py", "eve_1", "1", "x_3_4_search.py", 1),
            ("flo_2_2_notes-1", "flo_2", "2", "notes-1", 0),
        ],
    )
    def test_canvas(self, name, id, number, file, attempt):
        submission, own_name, own_attempt = parse_download_name(name)
        student = Student(id.removesuffix(f"_{number}"), number=number)
        assert (submission.id, submission.students) == (id, (student,))
        assert (own_name, own_attempt) == (file, attempt)
        assert submission.report == name[: name.index(file[:4])] + "report"
        assert not submission.marked_late

    def test_canvas_marks_what_is_late(self):
        late, *_ = parse_download_name("doejane_LATE_12_6_search.py")
        assert late.marked_late
        assert late.id == "doejane_12"
        assert late.report == "doejane_LATE_12_6_report"

    @pytest.mark.parametrize(
        "name, file",
        [
            ("Jane Doe_12_assignsubmission_file_", ""),
            ("Jane Doe_12_assignsubmission_file", ""),
            ("Jane Doe_12_assignsubmission_onlinetext_", ""),
            ("Jane Doe_12_assignsubmission_file_search.py", "search.py"),
            (
                "Jane Doe_12_assignsubmission_file_9_assignsubmission_file_x.py",
                "9_assignsubmission_file_x.py",
            ),
        ],
    )
    def test_moodle(self, name, file):
        submission, own_name, attempt = parse_download_name(name)
        assert submission.id == "Jane Doe_12"
        assert submission.students == (Student("Jane Doe", number="participant 12"),)
        assert submission.report == "Jane Doe_12_assignsubmission_file_report"
        assert (own_name, attempt) == (file, 0)

    @pytest.mark.parametrize("name", ["search.py", "submission_9", "a_b_c.py", "_1_2_x.py"])
    def test_other_names_say_nothing(self, name):
        assert parse_download_name(name) is None


class TestMetadata:
    """submission_metadata.yml: who handed in what, and nothing else of it is read."""

    def test_every_member_of_a_group_is_read_and_a_sid_keeps_its_zeros(self):
        assert students_in() == {"submission_12": (ASA, BO), "submission_9": (CY,)}

    @pytest.mark.parametrize("line_end", ["\n", "\u2028", "\x85", "\x0c"])
    def test_results_that_look_like_submitters_are_no_submitters(self, line_end):
        text = METADATA.replace("- :name: nobody", f"a{line_end}submission_9:")
        assert students_in(text) == students_in()

    @pytest.mark.parametrize("name, id", [("Åsa", "submission_12"), ("Cy", "submission_9")])
    def test_an_entry_that_is_not_yaml_costs_its_own_names_only(self, name, id):
        text = METADATA.replace(name, f"'{name}")
        found = read_metadata(text.encode(), "metadata.yml")
        line = METADATA[: METADATA.index(id)].count("\n") + 1
        note = f"submission_metadata.yml, line {line}: not YAML"
        assert found.pop(id) == Submission(id, note=note)
        [unharmed] = found
        assert found[unharmed].students == students_in()[unharmed]

    @pytest.mark.parametrize("fields", ["", " 5", "\n  :submitters: 5"])
    def test_an_entry_without_submitters_is_of_a_student_without_a_name(self, fields):
        assert students_in(f"a:{fields}\n") == {"a": (Student(),)}

    def test_a_name_is_one_line_that_steers_no_terminal(self):
        name = r'"\e]0;x\a Ada\u202e\n=1 \u0639\u0644\u06cc\u200c"'
        [student, _] = students_in(METADATA.replace(ASA.name, name))["submission_12"]
        assert student.name == "?]0;x? Ada? =1 \u0639\u0644\u06cc"

    @pytest.mark.parametrize("text", ["", "just text\n", "- a\n- b\n"])
    def test_what_lists_no_submission_is_refused(self, text):
        with pytest.raises(Refused, match="metadata.yml: lists .*; export it again"):
            students_in(text)

    @pytest.mark.parametrize(
        "written, handed_in",
        [
            (
                "!ruby/object:x\n    utc: 2026-12-01 22:58:59.123456000 Z\n    zone: !x",
                "2026-12-01T22:58:59+00:00",
            ),
            ("2026-12-01 23:00:00.5 +0100", "2026-12-01T23:00:00+01:00"),
            ("2026-12-01 23:00", "2026-12-01T23:00:00+00:00"),
        ],
    )
    def test_when_it_was_handed_in_is_read(self, written, handed_in):
        text = f"a:\n  :created_at: {written}\n"
        submission = read_metadata(text.encode(), "x")["a"]
        assert submission.handed_in.isoformat() == handed_in

    @pytest.mark.parametrize("written", ["yesterday", "2026-13-45 12:00:00 Z", "", "[1]"])
    def test_a_time_that_is_none_is_not_known(self, written):
        text = f"a:\n  :created_at: {written}\n"
        assert read_metadata(text.encode(), "x")["a"].handed_in is None

    @pytest.mark.parametrize(
        "written, cents",
        [("86.5", 8650), ("-1", -100), ("", None), ("many", None), ("[1]", None)],
    )
    def test_what_gradescope_gave_is_read(self, written, cents):
        text = f"a:\n  :score: {written}\n"
        assert read_metadata(text.encode(), "x")["a"].score == cents

    def test_students_are_read_without_their_results(self):
        folders = [f"submission_{n}" for n in range(300)]
        text = metadata(folders, random.Random(1), rows=30, history=1)
        parsed = "".join(entry for _, entry in split_entries(text))
        assert len(parsed) < len(text) / 30
        assert len(students_in(text)) == 300


@pytest.mark.parametrize(
    "text, time",
    [
        ("2026-12-01T23:59Z", "2026-12-01T23:59:00+00:00"),
        ("2026-12-01 23:59:01 UTC", "2026-12-01T23:59:01+00:00"),
        (" 2026-12-01T23:59-0730 ", "2026-12-01T23:59:00-07:30"),
        ("2026-12-01T23:59", "2026-12-01T23:59:00"),
    ],
)
def test_a_timestamp_has_the_offset_that_is_written(text, time):
    assert parse_timestamp(text).isoformat() == time
