"""Check what is read from file names of each platform and from submission_metadata.yml."""

import random

import pytest
from helpers import tables

from autograder.course.download import parse_download, read_metadata, split_entries
from autograder.course.students import Student
from bench.classes import metadata
from gametree.support.errors import InputError

NAMES = tables("downloads")
METADATA = NAMES["metadata"]["results are not read"]["text"]


def students_in(text):
    """Return folder -> the name, sid and e-mail address of each student."""
    students = {}
    named = read_metadata(text.encode(), "metadata.yml")
    for name, (submission, _) in named.items():
        authors = submission.authors
        students[name] = [[s.name, s.sid, s.email] for s in authors]
    return students


def groups_of(names):
    """Return the groups of files and folders/: name -> inner path -> reader."""
    groups = {}
    for name in names:
        inner = "search.py" if name.endswith("/") else ""
        groups[name.removesuffix("/")] = {inner: lambda _: b""}
    return groups


@pytest.mark.parametrize("name, fields", NAMES["names"].items())
def test_a_name_of_each_platform_is_parsed(name, fields):
    [(found, file)] = parse_download(groups_of([name]))[0].values()
    [student] = found.authors
    assert fields == {
        "id": found.id,
        "name": student.name,
        "number": student.number,
        "file": file,
        "report": found.report,
    }


@pytest.mark.parametrize("names", NAMES["other downloads"])
def test_a_download_is_from_a_platform_only_if_all_names_fit(names):
    assert parse_download(groups_of(names))[0] == {}


class TestMetadata:
    """Only students are read from submission_metadata.yml."""

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
        [damaged, _] = found.pop(id)
        assert damaged.authors == (Student(),)
        assert damaged.remark == "not YAML in submission_metadata.yml"
        [other_id] = found
        assert students_in(text)[other_id] == students_in(METADATA)[other_id]

    @pytest.mark.parametrize("text", ["", "just text\n", "- a\n- b\n"])
    def test_metadata_without_submissions_is_refused(self, text):
        with pytest.raises(InputError, match="metadata.yml: lists .*; export it again"):
            students_in(text)

    def test_results_are_removed_before_the_text_is_parsed(self):
        folders = [f"submission_{n}" for n in range(30)]
        text = metadata(folders, random.Random(1), rows=30, history=1)
        parsed = "".join(split_entries(text))
        assert len(parsed) < len(text) / 30
        assert len(students_in(text)) == 30
