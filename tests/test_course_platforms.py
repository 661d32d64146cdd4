"""Check what is read from file names of each platform and from submission_metadata.yml."""

import random
import re

import pytest
from fixtures.make_class import metadata
from helpers import ROOT, cases, tables

from autograder.course.people import Submission
from autograder.course.platforms import (
    parse_download,
    parse_timestamp,
    read_metadata,
    split_entries,
)
from gametree.support.errors import InputError

NAMES = tables("downloads")
METADATA = NAMES["metadata"]["results are not read"]["text"]


def students_in(text):
    """Return folder -> the name, sid and e-mail address of each student."""
    students = {}
    for name, submission in read_metadata(text.encode(), "metadata.yml").items():
        students[name] = [[s.name, s.sid, s.email] for s in submission.students]
    return students


def parse_name(name):
    """Return the Submission of a file or folder/, None if the name fits no platform."""
    found, _ = parse_download({name.removesuffix("/"): _group(name)})
    return found.get(name.removesuffix("/"))


def _group(name):
    """Return the content of a file or folder/: inner path -> function that reads it."""
    return {"search.py" if name.endswith("/") else "": lambda _: b""}


class TestDownloadNames:
    @pytest.mark.parametrize("name, fields", NAMES["names"].items())
    def test_a_name_of_each_platform_is_parsed(self, name, fields):
        found = parse_name(name)
        [student] = found.students
        handed_in = found.handed_in and found.handed_in.isoformat()
        assert fields == {
            "id": found.id,
            "name": student.name,
            "number": student.number or student.login,
            "file": found.file,
            "attempt": found.attempt,
            "late": found.marked_late,
            "time": handed_in or "",
            "report": found.report,
        }

    def test_each_name_in_the_manual_is_parsed(self):
        manual = (ROOT / "docs" / "ta.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (Canvas|Moodle|Bright|Black).*?`(.*?)`", manual, re.M)
        assert [name for _, name in rows if parse_name(name) is None] == []
        assert len(rows) == 5

    @pytest.mark.parametrize("name", NAMES["other names"])
    def test_other_names_fit_no_platform(self, name):
        assert parse_name(name) is None

    @pytest.mark.parametrize("names", NAMES["other downloads"])
    def test_a_download_is_from_a_platform_only_if_all_names_fit(self, names):
        groups = {name.removesuffix("/"): _group(name) for name in names}
        assert parse_download(groups)[0] == {}


class TestMetadata:
    """Only students, times and scores are read from submission_metadata.yml."""

    @pytest.mark.parametrize("case", NAMES["metadata"].values(), ids=NAMES["metadata"])
    def test_students_are_read(self, case):
        assert students_in(case["text"]) == case["students"]

    @pytest.mark.parametrize("line_end", ["\n", "\u2028", "\x85", "\x0c"])
    def test_results_that_look_like_submitters_are_not_read(self, line_end):
        text = METADATA.replace("- :name: nobody", f"a{line_end}submission_9:")
        assert students_in(text) == students_in(METADATA)

    @pytest.mark.parametrize("name, id", [("Åsa", "submission_12"), ("Cy", "submission_9")])
    def test_an_entry_that_is_not_yaml_loses_only_its_own_students(self, name, id):
        text = METADATA.replace(name, f"'{name}")
        found = read_metadata(text.encode(), "metadata.yml")
        line = METADATA[: METADATA.index(id)].count("\n") + 1
        note = f"submission_metadata.yml, line {line}: not YAML"
        assert found.pop(id) == Submission(id, note=note)
        [other_id] = found
        assert students_in(text)[other_id] == students_in(METADATA)[other_id]

    @pytest.mark.parametrize("text", ["", "just text\n", "- a\n- b\n"])
    def test_metadata_without_submissions_is_refused(self, text):
        with pytest.raises(InputError, match="metadata.yml: lists .*; export it again"):
            students_in(text)

    @pytest.mark.parametrize("written, handed_in, cents", cases("fields of metadata"))
    def test_a_time_and_a_score_are_read(self, written, handed_in, cents):
        submission = read_metadata(f"a:\n  {written}\n".encode(), "x")["a"]
        time = submission.handed_in
        assert (time and time.isoformat(), submission.score) == (handed_in, cents)

    def test_results_are_removed_before_the_text_is_parsed(self):
        folders = [f"submission_{n}" for n in range(30)]
        text = metadata(folders, random.Random(1), rows=30, history=1)
        parsed = "".join(entry for _, entry in split_entries(text))
        assert len(parsed) < len(text) / 30
        assert len(students_in(text)) == 30


@pytest.mark.parametrize("text, time", cases("timestamps with offsets"))
def test_a_timestamp_has_the_written_offset(text, time):
    assert parse_timestamp(text).isoformat() == time
