"""What a course may look like on disk, and what is read from it."""

import random
import sys
import time
import zipfile

import pytest
from fixtures.make_class import make_class, metadata

from autograder.course import unpack as unpacking
from autograder.course.ids import natural, safe_id, unique
from autograder.course.metadata import CourseError, Student, only_submitters, read_metadata
from autograder.course.source import opened
from autograder.course.unpack import unpack
from autograder.running.submission import NotGradable

SEARCH = b"x = 1\n"


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


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def submissions(path):
    with opened(path) as course:
        return {one.id: one for one in course.submissions}


def reason(submission):
    with pytest.raises(NotGradable) as told:
        submission.stage()
    return str(told.value)


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


class TestMetadata:
    def read(self, tmp_path, text, encoding="utf-8"):
        path = tmp_path / "submission_metadata.yml"
        path.write_text(text, encoding=encoding)
        return read_metadata(path)

    def test_a_sid_is_a_string_and_keeps_its_zeros(self, tmp_path):
        assert self.read(tmp_path, METADATA)["submission_12"][0].sid == "00123"

    def test_every_member_of_a_group_is_read(self, tmp_path):
        students = self.read(tmp_path, METADATA)["submission_12"]
        assert [one.name for one in students] == ['Åsa "Ö" O\'Neil', "Bo"]

    def test_a_missing_sid_is_empty(self, tmp_path):
        found = self.read(tmp_path, METADATA)
        assert found["submission_9"] == (Student("Cy", "", "cy@example.edu"),)

    def test_results_that_look_like_submitters_are_no_submitters(self, tmp_path):
        assert "nobody" not in str(self.read(tmp_path, METADATA))

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
        begun = time.process_time()
        assert len(self.read(tmp_path, text)) == 1500
        assert (
            time.process_time() - begun < 10
        )  # the figure is in the report; this is a net


class TestShapes:
    def test_a_folder_of_folders(self, tmp_path):
        found = submissions(folder_of(tmp_path, {"a/search.py": SEARCH, "b/": b""}))
        assert found["a"].stage() == SEARCH
        assert reason(found["b"]) == "no search.py in the submission; found: nothing"

    def test_a_folder_of_python_files_and_zips(self, tmp_path):
        course = folder_of(tmp_path, {"00123.py": SEARCH, "notes.txt": b""})
        zip_of(course / "00124.zip", {"search.py": SEARCH})
        found = submissions(course)
        assert [one.stage() for one in found.values()] == [SEARCH, SEARCH]
        assert list(found) == ["00123", "00124"]

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
            found = submissions(path)
            assert list(found) == ["submission_9", "submission_12"]
            assert [who.sid for who in found["submission_12"].students] == ["00123", ""]

    def test_one_student_in_a_folder_is_a_course_of_one(self, tmp_path):
        assert list(submissions(folder_of(tmp_path, {"ada/search.py": SEARCH}))) == ["ada"]

    def test_a_listed_submission_without_a_folder_has_a_row_and_a_reason(self, tmp_path):
        files = {
            "submission_metadata.yml": METADATA.encode(),
            "submission_9/search.py": SEARCH,
        }
        found = submissions(folder_of(tmp_path, files))
        assert reason(found["submission_12"]) == "its folder is not in the export"

    def test_a_folder_that_is_not_listed_has_a_row_too(self, tmp_path):
        files = {
            "submission_metadata.yml": METADATA.encode(),
            "submission_77/search.py": SEARCH,
        }
        course = folder_of(tmp_path, files)
        with opened(course) as read:
            assert "submission_77 is not in submission_metadata.yml" in read.remarks
        assert submissions(course)["submission_77"].stage() == SEARCH

    def test_two_submissions_of_one_student_say_so(self, tmp_path):
        text = METADATA.replace("cy@example.edu", "bo@example.edu")
        course = folder_of(tmp_path, {"submission_metadata.yml": text.encode()})
        notes = {one.note for one in submissions(course).values()}
        assert notes == {"one of 2 submissions of this student"}

    def test_students_without_sid_and_email_are_not_taken_for_one(self, tmp_path):
        found = submissions(
            folder_of(tmp_path, {"a/search.py": SEARCH, "b/search.py": SEARCH})
        )
        assert [one.note for one in found.values()] == ["", ""]

    @pytest.mark.skipif(sys.platform == "win32", reason="links")
    def test_a_link_is_a_row_and_never_followed(self, tmp_path):
        course = folder_of(tmp_path, {"a/search.py": SEARCH})
        (course / "b.py").symlink_to("/etc/passwd")
        assert reason(submissions(course)["b"]) == "b.py is a link; submit the file itself"

    @pytest.mark.parametrize("name", ["nothing", "notes.txt"])
    def test_what_is_no_course_is_told_in_a_line(self, tmp_path, name):
        (tmp_path / "notes.txt").write_text("")
        with pytest.raises(CourseError, match="give"), opened(tmp_path / name):
            pass

    def test_a_zip_without_a_submission_is_told_by_its_own_name(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
            archive.writestr("notes.txt", "")
        with (
            pytest.raises(CourseError, match="export.zip: no submissions"),
            opened(tmp_path / "export.zip"),
        ):
            pass

    def test_an_empty_folder_is_told_in_a_line(self, tmp_path):
        with pytest.raises(CourseError, match="no submissions"), opened(tmp_path):
            pass

    def test_the_made_up_class_reads_as_it_was_made(self, tmp_path):
        made = make_class(tmp_path / "class.zip", submissions=40)
        assert set(submissions(tmp_path / "class.zip")) == set(made)
        make_class(tmp_path / "class", submissions=40)
        assert set(submissions(tmp_path / "class")) == set(made)


class TestIds:
    def test_numbers_sort_as_numbers(self):
        names = ["submission_10", "submission_9", "a", "submission_10b"]
        assert sorted(names, key=natural) == [
            "a",
            "submission_9",
            "submission_10",
            "submission_10b",
        ]

    @pytest.mark.parametrize(
        "name", ["..", ".", "", "a/b", "a\nb", ".hidden", "x" * 400, "\ud800"]
    )
    def test_an_id_is_a_plain_folder_name(self, name, tmp_path):
        made = safe_id(name)
        (tmp_path / made).mkdir()
        assert (tmp_path / made).parent == tmp_path and not made.startswith(".")

    def test_ids_differ_from_each_other_and_from_our_own_files(self):
        assert unique(["Ada", "ada", "report.html"]) == ["Ada", "ada-2", "report.html-2"]


class TestZips:
    def unpacked(self, tmp_path, files):
        return unpack(zip_of(tmp_path / "x.zip", files), tmp_path / "out")

    @pytest.mark.parametrize(
        "name",
        ["../evil.py", "a/../../evil.py", "/etc/evil.py", "C:/evil.py", "..\\evil.py"],
    )
    def test_a_path_outside_refuses_the_zip_and_is_named(self, tmp_path, name):
        with pytest.raises(CourseError, match="evil.py' points outside"):
            self.unpacked(tmp_path, {"a/search.py": SEARCH, name: SEARCH})
        assert not list(tmp_path.rglob("evil.py"))

    def test_a_link_is_left_out_and_is_the_reason_of_its_submission(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {link("a/search.py"): b"/etc/passwd", "b/x": b""})
        assert (
            reason(submissions(path)["a"]) == "search.py is a link; submit the file itself"
        )

    def test_a_link_in_place_of_a_submission_still_has_a_row(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {link("a.py"): b"/etc/passwd", "b.py": SEARCH})
        assert reason(submissions(path)["a"]) == "a.py is a link; submit the file itself"

    def test_a_bomb_is_left_out_by_its_ratio(self, tmp_path):
        left_out = self.unpacked(tmp_path, {"a/bomb.txt": bytes(8 * 2**20), "b/x": b""})
        assert left_out == {"a/bomb.txt": "unpacks to more than 200 times its size"}
        assert not (tmp_path / "out/a/bomb.txt").exists()

    def test_a_large_file_is_left_out_by_its_size(self, tmp_path, monkeypatch):
        monkeypatch.setattr(unpacking, "MOST_ENTRY_BYTES", 100)
        assert self.unpacked(tmp_path, {"a/x": bytes(101)}) == {
            "a/x": "is larger than 100 bytes"
        }

    def test_too_many_bytes_refuse_the_zip_and_name_the_entry(self, tmp_path, monkeypatch):
        monkeypatch.setattr(unpacking, "MOST_BYTES", 150)
        with pytest.raises(CourseError, match="150 bytes, reached at b/y"):
            self.unpacked(tmp_path, {"a/x": bytes(100), "b/y": bytes(100)})

    def test_too_many_entries_refuse_the_zip(self, tmp_path, monkeypatch):
        monkeypatch.setattr(unpacking, "MOST_ENTRIES", 1)
        with pytest.raises(CourseError, match="2 entries; at most 1"):
            self.unpacked(tmp_path, {"a": b"", "b": b""})

    def test_a_damaged_entry_costs_itself_only(self, tmp_path):
        path = zip_of(
            tmp_path / "x.zip", {"a/x": b"abc" * 99, "b/y": b"1"}, zipfile.ZIP_STORED
        )
        path.write_bytes(path.read_bytes().replace(b"abcabc", b"abdabc", 1))
        assert unpack(path, tmp_path / "out") == {"a/x": "is damaged"}
        assert (tmp_path / "out/b/y").read_bytes() == b"1"

    def test_no_zip_at_all_is_told_in_a_line(self, tmp_path):
        (tmp_path / "x.zip").write_bytes(b"PK but no more")
        with pytest.raises(CourseError, match="no readable zip"):
            unpack(tmp_path / "x.zip", tmp_path)

    def test_names_that_macos_packed_are_read_as_utf_8(self, tmp_path):
        entry = zipfile.ZipInfo("Müller/search.py")
        path = zip_of(tmp_path / "x.zip", {entry: SEARCH, "b/search.py": SEARCH})
        data = path.read_bytes()
        path.write_bytes(_without_utf_8_flag(data))
        assert "Müller" in submissions(path)

    def test_windows_separators_make_folders(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {"a\\search.py": SEARCH, "b\\search.py": SEARCH})
        assert list(submissions(path)) == ["a", "b"]

    def test_litter_is_not_unpacked(self, tmp_path):
        self.unpacked(
            tmp_path, {"__MACOSX/a/._search.py": b"", "a/.DS_Store": b"", "a/x": b""}
        )
        assert sorted(p.name for p in (tmp_path / "out").rglob("*")) == ["a", "x"]


def _without_utf_8_flag(data):
    """Clear the flag that says UTF-8 in every header of a zip's bytes."""
    found = bytearray(data)
    for signature, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = found.find(signature)
        while at >= 0:
            found[at + place + 1] &= ~0x08
            at = found.find(signature, at + 4)
    return bytes(found)


def test_the_fixture_generator_is_reproducible(tmp_path):
    for name in ("one", "two"):
        make_class(tmp_path / f"{name}.zip", submissions=20)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
