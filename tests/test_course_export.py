"""What a course may look like on disk, what is read of it, and within what bounds."""

import random
import sys
import zipfile

import pytest
from fixtures.make_class import make_class, metadata

from autograder.course import export
from autograder.course.export import (
    CourseError,
    Student,
    natural,
    only_submitters,
    opened,
    read_metadata,
    safe_id,
    unique,
    unpack,
)
from autograder.sandbox import NotGradable

SEARCH = b"x = 1\n"
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
LISTED = {"submission_metadata.yml": METADATA.encode()}


def folder_of(tmp_path, files):
    """Write files (name -> bytes; a name that ends in / is a folder) and return where."""
    for name, content in files.items():
        target = tmp_path / "course" / name
        (target if name.endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            target.write_bytes(content)
    return tmp_path / "course"


def zip_of(path, files, kind=zipfile.ZIP_DEFLATED):
    """Write a zip of entry name (or ZipInfo) -> bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content, kind)
    return path


def submissions(path):
    """Return id -> Submission of the course at a path."""
    with opened(path) as course:
        return {submission.id: submission for submission in course.submissions}


def reason(submission):
    """Return why a submission cannot be graded."""
    with pytest.raises(NotGradable) as refusal:
        submission.stage()
    return str(refusal.value)


class TestReading:
    def test_a_folder_of_folders(self, tmp_path):
        course = submissions(folder_of(tmp_path, {"a/search.py": SEARCH, "b/": b""}))
        assert course["a"].stage() == SEARCH
        assert reason(course["b"]) == "no search.py in the submission; found: nothing"

    def test_a_folder_of_python_files_and_zips(self, tmp_path):
        folder = folder_of(tmp_path, {"00123.py": SEARCH, "notes.txt": b""})
        zip_of(folder / "00124.zip", {"search.py": SEARCH})
        course = submissions(folder)
        assert [submission.stage() for submission in course.values()] == [SEARCH, SEARCH]
        assert list(course) == ["00123", "00124"]

    @pytest.mark.parametrize("wrapped", ["", "assignment_1_export/", "a/b/"])
    def test_an_export_however_deep_it_lies(self, tmp_path, wrapped):
        files = {
            f"{wrapped}submission_metadata.yml": METADATA.encode(),
            f"{wrapped}submission_12/search.py": SEARCH,
            f"{wrapped}submission_9/": b"",
            f"{wrapped}.DS_Store": b"",
            "__MACOSX/._x": b"",
        }
        for path in (folder_of(tmp_path, files), zip_of(tmp_path / "course.zip", files)):
            course = submissions(path)
            assert list(course) == ["submission_9", "submission_12"]
            assert [who.sid for who in course["submission_12"].students] == ["00123", ""]

    def test_one_student_in_a_folder_is_a_course_of_one(self, tmp_path):
        course = submissions(folder_of(tmp_path, {"ada/search.py": SEARCH}))
        assert list(course) == ["ada"]

    def test_a_listed_submission_without_a_folder_has_a_row_and_a_reason(self, tmp_path):
        course = submissions(folder_of(tmp_path, {**LISTED, "submission_9/x": SEARCH}))
        assert reason(course["submission_12"]) == "its folder is not in the export"

    def test_a_folder_that_is_not_listed_has_a_row_too(self, tmp_path):
        folder = folder_of(tmp_path, {**LISTED, "submission_77/search.py": SEARCH})
        with opened(folder) as course:
            assert "submission_77 is not in submission_metadata.yml" in course.remarks
        assert submissions(folder)["submission_77"].stage() == SEARCH

    def test_two_submissions_of_one_student_say_so(self, tmp_path):
        text = METADATA.replace("cy@example.edu", "bo@example.edu")
        folder = folder_of(tmp_path, {"submission_metadata.yml": text.encode()})
        notes = {submission.note for submission in submissions(folder).values()}
        assert notes == {"one of 2 submissions of this student"}

    def test_students_without_sid_and_email_are_not_taken_for_one(self, tmp_path):
        folder = folder_of(tmp_path, {"a/search.py": SEARCH, "b/search.py": SEARCH})
        assert [submission.note for submission in submissions(folder).values()] == ["", ""]

    @pytest.mark.skipif(sys.platform == "win32", reason="links")
    def test_a_link_is_a_row_and_never_followed(self, tmp_path):
        folder = folder_of(tmp_path, {"a/search.py": SEARCH})
        (folder / "b.py").symlink_to("/etc/passwd")
        assert reason(submissions(folder)["b"]) == "b.py is a link; submit the file itself"

    @pytest.mark.parametrize(
        "name, line",
        [
            ("nothing", "nothing: no such file or folder; give SUBMISSIONS=path"),
            ("notes.txt", "neither a folder nor a zip; give either"),
            ("export.zip", "export.zip: no submissions"),
            ("empty", "empty: no submissions"),
        ],
    )
    def test_what_holds_no_course_is_told_in_a_line(self, tmp_path, name, line):
        (tmp_path / "notes.txt").write_text("")
        (tmp_path / "empty").mkdir()
        zip_of(tmp_path / "export.zip", {"notes.txt": ""})
        with pytest.raises(CourseError, match=line), opened(tmp_path / name):
            pass

    def test_the_made_up_class_reads_as_it_was_made(self, tmp_path):
        for name in ("class.zip", "class"):
            made = make_class(tmp_path / name, submissions=40)
            assert set(submissions(tmp_path / name)) == set(made)

    def test_the_made_up_class_is_reproducible(self, tmp_path):
        for name in ("one", "two"):
            make_class(tmp_path / f"{name}.zip", submissions=20)
        assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


class TestIds:
    def test_numbers_sort_as_numbers(self):
        names = ["submission_10", "submission_9", "a", "submission_10b"]
        ordered = ["a", "submission_9", "submission_10", "submission_10b"]
        assert sorted(names, key=natural) == ordered

    @pytest.mark.parametrize(
        "name", ["..", ".", "", "a/b", "a\nb", ".hidden", "x" * 400, "\ud800"]
    )
    def test_an_id_is_a_plain_folder_name(self, name, tmp_path):
        made = safe_id(name)
        (tmp_path / made).mkdir()
        assert (tmp_path / made).parent == tmp_path and not made.startswith(".")

    def test_ids_differ_from_each_other_and_from_our_own_files(self):
        ids = unique(["Ada", "ada", "report.html"])
        assert ids == ["Ada", "ada-2", "report.html-2"]


class TestMetadata:
    """submission_metadata.yml: who handed in what, and nothing else of it is read."""

    @staticmethod
    def read(tmp_path, text=METADATA, encoding="utf-8"):
        path = tmp_path / "submission_metadata.yml"
        path.write_text(text, encoding=encoding)
        return read_metadata(path)

    def test_every_member_of_a_group_is_read_and_a_sid_keeps_its_zeros(self, tmp_path):
        assert self.read(tmp_path)["submission_12"] == (
            Student('Åsa "Ö" O\'Neil', "00123", "asa@example.edu"),
            Student("Bo", "", "bo@example.edu"),
        )

    def test_a_missing_sid_is_empty(self, tmp_path):
        cy = Student("Cy", "", "cy@example.edu")
        assert self.read(tmp_path)["submission_9"] == (cy,)

    def test_results_that_look_like_submitters_are_no_submitters(self, tmp_path):
        assert "nobody" not in str(self.read(tmp_path))

    def test_a_byte_order_mark_and_windows_line_ends_are_read(self, tmp_path):
        text = METADATA.replace("\n", "\r\n")
        assert len(self.read(tmp_path, text, "utf-8-sig")) == 2

    def test_a_slip_is_told_with_its_line_in_the_file(self, tmp_path):
        with pytest.raises(CourseError, match=r"metadata\.yml:4: .*export it again"):
            self.read(tmp_path, METADATA.replace("Åsa", "'Åsa"))

    @pytest.mark.parametrize("text", ["", "just text\n", "- a\n- b\n"])
    def test_what_lists_no_submission_is_refused(self, tmp_path, text):
        with pytest.raises(CourseError, match="export it again"):
            self.read(tmp_path, text)

    def test_1500_students_are_read_without_their_results(self, tmp_path):
        folders = [f"submission_{n}" for n in range(1500)]
        text = metadata(folders, random.Random(1), rows=30, history=1)
        kept = list(only_submitters(text.splitlines()))
        assert len(kept) < len(text.splitlines()) / 30
        assert len(self.read(tmp_path, text)) == 1500


def link(name):
    """Return the entry of a symbolic link in a zip."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def without_utf_8_flag(data):
    """Clear the flag that says UTF-8 in every header of a zip's bytes."""
    cleared = bytearray(data)
    for signature, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = cleared.find(signature)
        while at >= 0:
            cleared[at + place + 1] &= ~0x08
            at = cleared.find(signature, at + 4)
    return bytes(cleared)


def unpacked(tmp_path, files):
    return unpack(zip_of(tmp_path / "x.zip", files), tmp_path / "out")


class TestUnpacking:
    """A zip is unpacked within bounds: no path outside, no link, no bomb."""

    @pytest.mark.parametrize(
        "name",
        ["../evil.py", "a/../../evil.py", "/etc/evil.py", "C:/evil.py", "..\\evil.py"],
    )
    def test_a_path_outside_refuses_the_zip_and_is_named(self, tmp_path, name):
        with pytest.raises(CourseError, match="evil.py' points outside"):
            unpacked(tmp_path, {"a/search.py": SEARCH, name: SEARCH})
        assert not list(tmp_path.rglob("evil.py"))

    @pytest.mark.parametrize("name", ["a/search.py", "a.py"])
    def test_a_link_is_left_out_and_is_the_reason_of_its_submission(self, tmp_path, name):
        path = zip_of(tmp_path / "x.zip", {link(name): b"/etc/passwd", "b.py": SEARCH})
        refusal = f"{name.removeprefix('a/')} is a link; submit the file itself"
        assert reason(submissions(path)["a"]) == refusal

    def test_a_bomb_is_left_out_by_its_ratio(self, tmp_path):
        left_out = unpacked(tmp_path, {"a/bomb.txt": bytes(8 * 2**20), "b/x": b""})
        assert left_out == {"a/bomb.txt": "unpacks to more than 200 times its size"}
        assert not (tmp_path / "out/a/bomb.txt").exists()

    def test_a_large_file_is_left_out_by_its_size(self, tmp_path, monkeypatch):
        monkeypatch.setattr(export, "MOST_ENTRY_BYTES", 100)
        left_out = unpacked(tmp_path, {"a/x": bytes(101)})
        assert left_out == {"a/x": "is larger than 100 bytes"}

    def test_too_many_bytes_refuse_the_zip_and_name_the_entry(self, tmp_path, monkeypatch):
        monkeypatch.setattr(export, "MOST_BYTES", 150)
        with pytest.raises(CourseError, match="150 bytes, reached at b/y"):
            unpacked(tmp_path, {"a/x": bytes(100), "b/y": bytes(100)})

    def test_too_many_entries_refuse_the_zip(self, tmp_path, monkeypatch):
        monkeypatch.setattr(export, "MOST_ENTRIES", 1)
        with pytest.raises(CourseError, match="2 entries; at most 1"):
            unpacked(tmp_path, {"a": b"", "b": b""})

    def test_a_damaged_entry_costs_itself_only(self, tmp_path):
        files = {"a/x": b"abc" * 99, "b/y": b"1"}
        path = zip_of(tmp_path / "x.zip", files, zipfile.ZIP_STORED)
        path.write_bytes(path.read_bytes().replace(b"abcabc", b"abdabc", 1))
        assert unpack(path, tmp_path / "out") == {"a/x": "is damaged"}
        assert (tmp_path / "out/b/y").read_bytes() == b"1"

    def test_what_is_not_a_zip_is_told_in_a_line(self, tmp_path):
        (tmp_path / "x.zip").write_bytes(b"PK but no more")
        with pytest.raises(CourseError, match="not a readable zip"):
            unpack(tmp_path / "x.zip", tmp_path)

    def test_names_that_macos_packed_are_read_as_utf_8(self, tmp_path):
        entry = zipfile.ZipInfo("Müller/search.py")
        path = zip_of(tmp_path / "x.zip", {entry: SEARCH, "b/search.py": SEARCH})
        path.write_bytes(without_utf_8_flag(path.read_bytes()))
        assert "Müller" in submissions(path)

    def test_windows_separators_make_folders(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {"a\\search.py": SEARCH, "b\\search.py": SEARCH})
        assert list(submissions(path)) == ["a", "b"]

    def test_litter_is_not_unpacked(self, tmp_path):
        unpacked(tmp_path, {"__MACOSX/a/._search.py": b"", "a/.DS_Store": b"", "a/x": b""})
        assert sorted(p.name for p in (tmp_path / "out").rglob("*")) == ["a", "x"]
