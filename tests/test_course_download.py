"""What a course may look like, what is read of it, and within what bounds."""

import re
import tracemalloc
import zipfile
from fnmatch import fnmatchcase

import pytest
from fixtures.make_class import write
from helpers import cases, tables

from autograder.command import Refused
from autograder.course import download
from autograder.course.download import read_course
from autograder.course.people import make_folder_name, make_folder_names

SEARCH = b"x = 1\n"
COURSES = tables("downloads")["courses"]


def content_of(value, folder):
    """Return the bytes that downloads.yaml gives a file; a mapping is a zip."""
    if isinstance(value, dict):
        files = {name: content_of(inner, folder) for name, inner in value.items()}
        return write(folder / "inner.zip", files).read_bytes()
    return SEARCH if value == "search" else value.encode()


def submissions(path):
    """Return id -> Submission of the course at a path."""
    return {submission.id: submission for submission in read_course(path).submissions}


def refusal(submission):
    """Return why a submission cannot be graded."""
    assert submission.source is None
    assert submission.refusal.isprintable()
    return submission.refusal


@pytest.mark.parametrize("suffix", ["", ".zip"])
@pytest.mark.parametrize("name", COURSES)
def test_what_is_read_of_a_course(tmp_path, name, suffix):
    case = COURSES[name]
    files = {path: content_of(value, tmp_path) for path, value in case["files"].items()}
    for number, around in enumerate(case.get("in", [""])):
        inside = {f"{around}{path}": content for path, content in files.items()}
        inside["__MACOSX/._x"] = b""
        course = read_course(write(tmp_path / f"{number}{suffix}", inside))
        assert course.remarks == tuple(case.get("remarks", ()))
        assert [found.id for found in course.submissions] == list(case["submissions"])
        for found in course.submissions:
            check_submission(found, case["submissions"][found.id])


def check_submission(found, expected):
    """Assert that a submission is as downloads.yaml says."""
    if "refusal" in expected:
        assert fnmatchcase(refusal(found), expected["refusal"])
    else:
        assert found.source == SEARCH
    assert found.note == expected.get("note", "")
    assert found.marked_late == expected.get("late", False)
    students = found.students
    assert [student.name for student in students] == expected.get("names", [""])
    assert [student.sid for student in students] == expected.get("sids", [""])
    assert students[0].section == expected.get("section", "")
    places = [list(place) for place in found.places]
    assert places == expected.get("places", places)


@pytest.mark.parametrize("name, line", cases("downloads without a course"))
def test_what_holds_no_course_is_told_in_a_line(tmp_path, name, line):
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    write(tmp_path / "export.zip", {"notes.txt": ""})
    with pytest.raises(Refused, match=line):
        read_course(tmp_path / name)


class TestFolderNames:
    @pytest.mark.parametrize(
        "name", ["..", "", "a/b", "a\nb", ".hidden", "x" * 400, "\ud800"]
    )
    def test_an_id_is_a_plain_folder_name(self, tmp_path, name):
        folder = make_folder_name(name)
        (tmp_path / folder).mkdir()
        assert (tmp_path / folder).parent == tmp_path
        assert not folder.startswith(".")

    def test_no_two_are_one_to_any_file_system(self):
        names = ["Ada", "ada", "ADA", "report.html", "Report.html", "\u00e9", "e\u0301"]
        folders = ["Ada", "ada-2", "ADA-3", "report.html_", "Report.html_-2"]
        assert make_folder_names(names) == [*folders, "\u00e9", "\u00e9-2"]


def link(name):
    """Return the entry of a symbolic link in a zip."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def with_flags(data, add=0, clear=0, places=0):
    """Set bits of the flags' first byte, clear bits of the second, in all or so many."""

    def changed(entry):
        return entry[1] + bytes([entry[2][0] | add, entry[3][0] & ~clear])

    for place in (b"PK\3\4..", b"PK\1\2...."):
        data = re.sub(b"(?s)(" + place + b")(.)(.)", changed, data, count=places)
    return data


BYTES_OF_BO = b"y = 1\n"
LONG_NAMES = {"L": "n" * 60_000, "D": "x/" * 2000, "\ufb2c": "\ufb2c" * 80}


def with_bo(folder, files, kind=zipfile.ZIP_DEFLATED):
    """Return the submissions of a course's x.zip that holds these files and Bo's."""
    path = write(folder / "x.zip", {**files, "bo/search.py": BYTES_OF_BO}, kind=kind)
    course = submissions(path)
    assert course["bo"].source == BYTES_OF_BO
    return course


class TestZips:
    """Nothing is unpacked, and no entry costs anybody but its own submission."""

    @pytest.mark.parametrize("names", cases("names that no folder could hold"))
    def test_names_that_no_folder_could_hold_or_that_lead_outside_are_only_names(
        self, tmp_path, names
    ):
        for short, long in LONG_NAMES.items():
            names = names.replace(short, long)
        names = names.split(" & ")
        without = with_bo(tmp_path, dict.fromkeys(names, b""))["a"]
        reason = "no search.py in the submission; found: "
        assert refusal(without).startswith(reason)
        files = dict.fromkeys([*names, "a/search.py"], SEARCH)
        assert with_bo(tmp_path, files)["a"].source == SEARCH
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
    def test_a_bomb_is_refused_and_costs_no_memory(self, tmp_path, kind, reason):
        bomb = {"a/search.py": bytes(10 * 2**20)}
        path = write(tmp_path / "x.zip", bomb, kind=kind)
        tracemalloc.start()
        assert refusal(submissions(path)["a"]) == f"a/search.py {reason}"
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
        tracemalloc.stop()

    @pytest.mark.parametrize("name", ["a/search.py", "a.py", "a.zip"])
    def test_a_link_costs_its_submission_only(self, tmp_path, name):
        course = with_bo(tmp_path, {link(name): b"/etc/passwd"})
        assert refusal(course["a"]) == f"{name} is a link: upload the file itself"

    def test_a_zip_in_it_with_too_many_names_costs_its_submission_only(self, tmp_path):
        names = {"n" * 60_000 + str(n): b"" for n in range(71)}
        inner = write(tmp_path / "a.zip", names, kind=zipfile.ZIP_STORED).read_bytes()
        course = with_bo(tmp_path, {"a.zip": inner}, kind=zipfile.ZIP_STORED)
        assert (
            refusal(course["a"]) == "a.zip contains too many files: upload search.py alone"
        )

    @pytest.mark.parametrize(
        "change, reason",
        [
            (
                lambda data: data.replace(b"abcabc", b"abdabc", 1),
                "damaged: upload it again",
            ),
            (
                lambda data: with_flags(data, add=1, places=1),
                "encrypted: upload it without a password",
            ),
        ],
        ids=["damaged", "encrypted"],
    )
    def test_an_entry_that_cannot_be_read_costs_its_submission_only(
        self, tmp_path, change, reason
    ):
        with_bo(tmp_path, {"a/search.py": b"abc" * 99}, zipfile.ZIP_STORED)
        path = tmp_path / "x.zip"
        path.write_bytes(change(path.read_bytes()))
        course = submissions(path)
        assert refusal(course["a"]) == f"a/search.py is {reason}"
        assert course["bo"].source == BYTES_OF_BO

    def test_a_zip_that_claims_to_be_utf8_and_is_not_is_read(self, tmp_path):
        path = write(tmp_path / "x.zip", {"a/é.txt": b"", "a/search.py": SEARCH})
        path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9\xe9"))
        assert submissions(path)["a"].source == SEARCH

    def test_names_as_macos_packs_them_are_read_with_and_without_the_mark(self, tmp_path):
        entry = zipfile.ZipInfo("Müller/search.py")
        path = write(tmp_path / "x.zip", {entry: SEARCH, "b/search.py": SEARCH})
        assert submissions(path)["Müller"].source == SEARCH
        path.write_bytes(with_flags(path.read_bytes(), clear=0x08))
        assert submissions(path)["Müller"].source == SEARCH

    def test_names_as_windows_packs_them_are_read(self, tmp_path):
        files = {"a\\search.py": SEARCH, "b\\search.py": SEARCH}
        assert list(submissions(write(tmp_path / "x.zip", files))) == ["a", "b"]

    def test_a_zip_with_more_names_than_any_class_has_is_refused(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(download, "MAX_LIST_BYTES", 100)
        with pytest.raises(Refused, match="contains too many files"):
            with_bo(tmp_path, {"a/search.py": SEARCH})
