"""Check how a class is read from a download, and how bad files are refused."""

import random
import re
import tracemalloc
import zipfile
from fnmatch import fnmatchcase

import pytest
from helpers import cases, tables, write

from autograder.course.download import (
    parse_download,
    read_download,
    read_metadata,
    split_entries,
)
from autograder.course.students import Student
from autograder.ground import submission
from autograder.ground.plaintext import make_folder_names
from bench.classes import metadata
from gametree.support.errors import InputError

SEARCH = b"x = 1\n"
DOWNLOADS = tables("downloads")
COURSES = DOWNLOADS["courses"]
METADATA = DOWNLOADS["metadata"]["results are not read"]["text"]


def content_of(value, folder):
    """Return the bytes of a file in downloads.yaml. A mapping is a zip."""
    if isinstance(value, dict):
        files = {name: content_of(inner, folder) for name, inner in value.items()}
        return write(folder / "inner.zip", files).read_bytes()
    return SEARCH if value == "search" else value.encode()


def read_submissions(path):
    """Read the course at a path. Return id -> Submission."""
    return {submission.id: submission for submission in read_download(path)[0]}


def refusal_of(submission):
    """Assert that a submission cannot be graded. Return the reason."""
    assert submission.source is None
    assert submission.note.isprintable()
    return submission.note


@pytest.mark.parametrize("suffix", ["", ".zip"])
@pytest.mark.parametrize("name", COURSES)
def test_a_course_is_read_as_downloads_yaml_says(tmp_path, name, suffix):
    case = COURSES[name]
    files = {path: content_of(value, tmp_path) for path, value in case["files"].items()}
    for number, prefix in enumerate(case.get("in", [""])):
        inside = {f"{prefix}{path}": content for path, content in files.items()}
        inside["__MACOSX/._x"] = b""
        submissions, remarks = read_download(write(tmp_path / f"{number}{suffix}", inside))
        assert remarks == case.get("remarks", []), prefix
        ids = [found.id for found in submissions]
        assert ids == list(case["submissions"]), prefix
        for found in submissions:
            check_submission(found, case["submissions"][found.id])


def check_submission(found, expected):
    """Assert that a submission is as downloads.yaml says."""
    if "refusal" in expected:
        assert fnmatchcase(refusal_of(found), expected["refusal"])
    else:
        assert found.source == SEARCH
        assert found.note == expected.get("note", "")
    assert found.remark == expected.get("remark", "")
    assert [student.name for student in found.authors] == expected.get("names", [""])
    assert [student.sid for student in found.authors] == expected.get("sids", [""])


@cases("downloads without a course")
def test_a_path_without_a_course_is_refused_in_one_line(name, line, tmp_path):
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty.zip", {"__MACOSX/x": ""})
    write(tmp_path, {"list.csv": "Name,SID\nAda,1\n", "broken.zip": "PK"})
    with pytest.raises(InputError, match=line):
        read_download(tmp_path / name)


@pytest.mark.parametrize(
    "name", ["..", "", "a/b", "a\nb", ".hidden", "x" * 400, "é" * 400, "\ud800", "a:b"]
)
def test_any_id_has_a_safe_folder_name(tmp_path, name):
    [folder] = make_folder_names([name])
    (tmp_path / folder).mkdir()
    assert (tmp_path / folder).parent == tmp_path
    assert not folder.startswith(".")
    assert ":" not in folder


def test_folder_names_differ_on_every_file_system():
    names = ["Ada", "ada", "ADA", "\u00e9", "e\u0301"]
    assert make_folder_names(names) == ["Ada", "ada-2", "ADA-3", "\u00e9", "\u00e9-2"]


def link_entry(name):
    """Return the zip entry of a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def with_flags(data, add=0, clear=0, count=0):
    """Return a zip's bytes with changed flags in its headers.

    add: bits to set in the first byte of the flags.
    clear: bits to clear in the second byte.
    count: the number of entries to change, from the first one; 0 for all.
    """

    def change_flags(entry):
        return entry[1] + bytes([entry[2][0] | add, entry[3][0] & ~clear])

    for header in (b"PK\3\4..", b"PK\1\2...."):
        data = re.sub(b"(?s)(" + header + b")(.)(.)", change_flags, data, count=count)
    return data


BO_SOURCE = b"y = 1\n"
LONG_NAMES = {"L": "n" * 60_000, "D": "x/" * 2000, "\ufb2c": "\ufb2c" * 80}


def read_with_bo(folder, files, kind=zipfile.ZIP_DEFLATED):
    """Write x.zip with these files and Bo's submission. Return id -> Submission.

    Assert that Bo's submission is read.
    """
    path = write(folder / "x.zip", {**files, "bo/search.py": BO_SOURCE}, kind=kind)
    course = read_submissions(path)
    assert course["bo"].source == BO_SOURCE
    return course


class TestZips:
    """A zip is never unpacked, and a harmful entry affects only its own submission."""

    @cases("names that no folder could hold")
    def test_names_that_lead_outside_or_are_impossible_in_a_folder_do_no_harm(
        self, names, tmp_path
    ):
        for short, long in LONG_NAMES.items():
            names = names.replace(short, long)
        names = names.split(" & ")
        without_program = read_with_bo(tmp_path, dict.fromkeys(names, b""))["a"]
        reason = "no search.py in the submission; found: "
        assert refusal_of(without_program).startswith(reason)
        files = dict.fromkeys([*names, "a/search.py"], SEARCH)
        assert read_with_bo(tmp_path, files)["a"].source == SEARCH
        assert not list(tmp_path.rglob("evil.*"))

    @pytest.mark.parametrize(
        "kind, reason",
        [
            (zipfile.ZIP_DEFLATED, "has 10,485,760 bytes: at most 1,048,576 are graded"),
            (
                zipfile.ZIP_BZIP2,
                "is compressed in an unusual way: create a normal zip file",
            ),
        ],
    )
    def test_a_zip_bomb_is_refused_and_uses_little_memory(self, tmp_path, kind, reason):
        bomb = {"a/search.py": bytes(10 * 2**20)}
        path = write(tmp_path / "x.zip", bomb, kind=kind)
        tracemalloc.start()
        assert refusal_of(read_submissions(path)["a"]) == f"a/search.py {reason}"
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
        tracemalloc.stop()

    @pytest.mark.parametrize("name", ["a/search.py", "a.py", "a.zip"])
    def test_a_link_affects_only_its_submission(self, tmp_path, name):
        course = read_with_bo(tmp_path, {link_entry(name): b"/etc/passwd"})
        assert refusal_of(course["a"]) == f"{name} is a link: upload the file itself"

    @pytest.mark.parametrize(
        "change, reason",
        [
            (
                lambda data: data.replace(b"abcabc", b"abdabc", 1),
                "damaged: upload it again",
            ),
            (
                lambda data: with_flags(data, add=1, count=1),
                "encrypted: upload it without a password",
            ),
        ],
        ids=["damaged", "encrypted"],
    )
    def test_an_unreadable_entry_affects_only_its_submission(
        self, tmp_path, change, reason
    ):
        read_with_bo(tmp_path, {"a/search.py": b"abc" * 99}, zipfile.ZIP_STORED)
        path = tmp_path / "x.zip"
        path.write_bytes(change(path.read_bytes()))
        course = read_submissions(path)
        assert refusal_of(course["a"]) == f"a/search.py is {reason}"
        assert course["bo"].source == BO_SOURCE

    def test_names_from_macos_are_read_with_and_without_the_utf8_flag(self, tmp_path):
        entry = zipfile.ZipInfo("Müller/search.py")
        path = write(tmp_path / "x.zip", {entry: SEARCH, "b/search.py": SEARCH})
        assert read_submissions(path)["Müller"].source == SEARCH
        path.write_bytes(with_flags(path.read_bytes(), clear=0x08))
        assert read_submissions(path)["Müller"].source == SEARCH

    def test_names_from_windows_are_read(self, tmp_path):
        files = {"a\\search.py": SEARCH, "b\\search.py": SEARCH}
        assert list(read_submissions(write(tmp_path / "x.zip", files))) == ["a", "b"]

    def test_a_zip_of_too_many_files_affects_only_its_submission(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(submission, "MAX_LIST_BYTES", 1000)
        many = write(tmp_path / "many.zip", dict.fromkeys(map(str, range(100)), b""))
        course = read_with_bo(tmp_path, {"a.zip": many.read_bytes()})
        assert refusal_of(course["a"]).endswith("it contains too many files")
        with pytest.raises(InputError, match="contains too many files.* or unpack it"):
            read_download(many)


# ---- what names of files and submission_metadata.yml say


def students_in(text):
    """Return folder -> the name, sid and e-mail address of each student."""
    students = {}
    named = read_metadata(text.encode(), "metadata.yml")
    for name, (found, _) in named.items():
        students[name] = [[s.name, s.sid, s.email] for s in found.authors]
    return students


def groups_of(names):
    """Return the groups of files and folders/: name -> inner path -> reader."""
    groups = {}
    for name in names:
        inner = "search.py" if name.endswith("/") else ""
        groups[name.removesuffix("/")] = {inner: lambda _: b""}
    return groups


@pytest.mark.parametrize("name, fields", DOWNLOADS["names"].items())
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


@pytest.mark.parametrize("names", DOWNLOADS["other downloads"])
def test_a_download_is_from_a_platform_only_if_all_names_fit(names):
    assert parse_download(groups_of(names))[0] == {}


class TestMetadata:
    """Only students are read from submission_metadata.yml."""

    @pytest.mark.parametrize("name", DOWNLOADS["metadata"])
    def test_students_are_read(self, name):
        case = DOWNLOADS["metadata"][name]
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
