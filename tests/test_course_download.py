"""What a course may look like, what is read of it, and within what bounds."""

import re
import tracemalloc
import zipfile

import pytest
from fixtures.make_class import write

from autograder.command import Refused
from autograder.course import download
from autograder.course.download import read_course
from autograder.course.people import Student
from autograder.course.submissions import make_folder_name, make_folder_names

SEARCH = b"x = 1\n"
METADATA = """---
submission_12:
  :submitters:
  - :name: Ada
    :sid: 00123
  - :name: Bo
submission_9:
  :submitters:
  - :name: Cy
"""
EXPORT = {
    "submission_metadata.yml": METADATA.encode(),
    "submission_12/search.py": SEARCH,
    "submission_9/search.py": SEARCH,
}


def read_files(folder, files, suffix=""):
    """Return the Course of these files, in a folder or a .zip."""
    return read_course(write(folder / f"course{suffix}", files))


def by_id(course):
    """Return id -> Submission of a course."""
    return {submission.id: submission for submission in course.submissions}


def submissions(path):
    """Return id -> Submission of the course at a path."""
    return by_id(read_course(path))


def refusal(submission):
    """Return why a submission cannot be graded."""
    assert submission.source is None
    assert submission.refusal.isprintable()
    return submission.refusal


class TestReading:
    def test_a_folder_of_python_files_zips_and_folders(self, tmp_path):
        files = {"00123.py": SEARCH, "hw_1.py": SEARCH, "submission_9/search.py": SEARCH}
        folder = write(tmp_path / "course", {**files, "notes.txt": b""})
        write(folder / "00124.zip", {"search.py": SEARCH})
        course = read_course(folder)
        ids = [submission.id for submission in course.submissions]
        assert ids == ["00123", "00124", "hw_1", "submission_9"]
        assert {submission.source for submission in course.submissions} == {SEARCH}
        assert {submission.students for submission in course.submissions} == {(Student(),)}
        assert course.remarks == ("notes.txt is not a submission: neither .py nor .zip",)

    @pytest.mark.parametrize("suffix", ["", ".zip"])
    @pytest.mark.parametrize("around", ["", "assignment_1_export/", "a/b/c/d/e/"])
    def test_an_export_however_deep_it_lies(self, tmp_path, around, suffix):
        files = {
            f"{around}submission_metadata.yml": METADATA.encode(),
            f"{around}submission_12/search.py": SEARCH,
            f"{around}submission_9/": b"",
            f"{around}.DS_Store": b"",
            "__MACOSX/._x": b"",
        }
        course = by_id(read_files(tmp_path, files, suffix))
        assert list(course) == ["submission_9", "submission_12"]
        sids = [student.sid for student in course["submission_12"].students]
        assert sids == ["00123", ""]

    def test_an_export_in_too_many_folders_is_one_submission(self, tmp_path):
        files = {f"a/b/c/d/e/f/{name}": content for name, content in EXPORT.items()}
        assert list(by_id(read_files(tmp_path, files))) == ["f"]

    def test_a_folder_beside_a_program_is_a_submission(self, tmp_path):
        files = {"hw/search.py": SEARCH, "hw/tests/x.txt": b""}
        assert list(by_id(read_files(tmp_path, files))) == ["hw"]

    def test_listed_or_not_everybody_has_a_row_that_says_what_is_odd(self, tmp_path):
        files = {**EXPORT, "submission_77/search.py": SEARCH}
        del files["submission_12/search.py"]
        course = read_files(tmp_path, files)
        lines = [(found.id, found.refusal, found.note) for found in course.submissions]
        assert lines == [
            ("submission_9", "", ""),
            ("submission_12", "its folder is not in the export", ""),
            ("submission_77", "", "not in submission_metadata.yml"),
        ]
        assert course.remarks == ("submission_77 is not in submission_metadata.yml",)

    @pytest.mark.parametrize(
        "name, line",
        [
            ("nothing", "nothing: no such file or folder; give SUBMISSIONS=path"),
            ("notes.txt", "notes.txt: no submissions: no folder, .py file or zip in it"),
            ("export.zip", "export.zip: no submissions"),
            ("empty", "empty: no submissions"),
        ],
    )
    def test_what_holds_no_course_is_told_in_a_line(self, tmp_path, name, line):
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
        folders = ["Ada", "ada-2", "ADA-3", "report.html-2", "Report.html-3"]
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


def with_bo(folder, files, kind=zipfile.ZIP_DEFLATED):
    """Return the submissions of a course's x.zip that holds these files and Bo's."""
    path = write(folder / "x.zip", {**files, "bo/search.py": BYTES_OF_BO}, kind=kind)
    course = submissions(path)
    assert course["bo"].source == BYTES_OF_BO
    return course


class TestZips:
    """Nothing is unpacked, and no entry costs anybody but its own submission."""

    @pytest.mark.parametrize(
        "names",
        [
            ("a/x", "a/x\\y"),
            ("a", "a/x/search.py/y"),
            ("a/\u00e9.txt", "a/e\u0301.txt"),
            ("a/" + "\ufb2c" * 80,),  # 240 bytes, and 480 when it is normalised
            ("a/README", "a/readme"),
            ("a/" + "x/" * 2000 + "y",),
            ("a/" + "n" * 60_000,),
            ("a/..\\notes.txt", "a/con", "a/x:y"),
            ("../evil.py", "a/y"),
            ("a/../../evil.txt",),
            ("/etc/evil.py", "C:/evil.py", "a/y"),
        ],
        ids=lambda names: names[0][:10],
    )
    def test_names_that_no_folder_could_hold_or_that_lead_outside_are_only_names(
        self, tmp_path, names
    ):
        without = with_bo(tmp_path, dict.fromkeys(names, b""))["a"]
        reason = "no search.py in the submission; found: "
        assert refusal(without).startswith(reason)
        files = dict.fromkeys([*names, "a/search.py"], SEARCH)
        assert with_bo(tmp_path, files)["a"].source == SEARCH
        assert not list(tmp_path.rglob("evil.*"))

    def test_names_that_collide_each_have_a_row(self, tmp_path):
        names = ("\u00e9.py", "e\u0301.py", "E.py", "e.py", "9" * 5000 + ".py")
        course = with_bo(tmp_path, dict.fromkeys(names, SEARCH))
        assert len(course) == 6
        assert {found.source for found in course.values()} == {SEARCH, BYTES_OF_BO}

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
        names = {"n" * 60_000 + str(n): b"" for n in range(80)}
        inner = write(tmp_path / "a.zip", names).read_bytes()
        course = with_bo(tmp_path, {"a.zip": inner})
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


NO_SEARCH = "no search.py in the submission; found: "


class TestDownloads:
    """Files and folders of one student are one submission, and each student has a row."""

    @pytest.fixture
    def read_one(self, tmp_path):
        """A function that returns the one submission among these names beside Bo's."""

        def reading(*names, content=SEARCH):
            middle = "assignsubmission_file" if "assignsub" in names[0] else "901"
            folder = write(tmp_path / "course", {f"kimbo_222_{middle}_search.py": SEARCH})
            write(folder, dict.fromkeys(names, content))
            course = submissions(folder)
            assert course.pop("kimbo_222").source == SEARCH
            [(_, submission)] = course.items()
            return submission

        return reading

    @pytest.mark.parametrize(
        "name, note",
        [
            ("eve_1_2_x_3_4_search-1-2.py", "x_3_4_search-1.py was taken for search.py"),
            ("Al_8_assignsubmission_file/search.py", ""),
        ],
    )
    def test_a_program_is_read(self, read_one, name, note):
        submission = read_one(name)
        assert submission.source == SEARCH
        assert submission.note == note

    @pytest.mark.parametrize(
        "name, reason",
        [
            (
                "quoflo_666_905_search.rar",
                f"{NO_SEARCH}search.rar; the autograder does not open",
            ),
            ("Ed_56_assignsubmission_file_/", f"{NO_SEARCH}nothing"),
        ],
    )
    def test_what_is_no_program_is_refused_with_its_row(self, read_one, name, reason):
        assert refusal(read_one(name)).startswith(reason)

    def test_a_zip_is_looked_into(self, read_one, tmp_path):
        inner = write(tmp_path / "search.zip", {"hw/search.py": SEARCH}).read_bytes()
        submission = read_one("pazed_555_904_search.zip", content=inner)
        assert (submission.id, submission.source) == ("pazed_555", SEARCH)

    def test_files_of_one_student_are_one_submission(self, read_one):
        submission = read_one("doejane_12_6_search.py", "doejane_12_6_notes.txt")
        assert (submission.source, submission.note) == (SEARCH, "")

    def test_a_file_and_a_text_of_one_student_are_one_submission(self, read_one):
        moodle = "Jane Doe_12_assignsubmission"
        names = (f"{moodle}_file_/search.py", f"{moodle}_onlinetext_/onlinetext.html")
        assert read_one(*names).source == SEARCH

    def test_of_several_the_last_one_counts_and_says_whether_it_is_late(self, tmp_path):
        files = {
            "b_3_2_search.py": b"",
            "b_3_2_search-10.py": SEARCH,
            "b_LATE_3_2_search-1.py": b"",
            "kimbo_222_901_search.py": b"",
        }
        submission = by_id(read_files(tmp_path, files))["b_3"]
        assert submission.source == SEARCH
        assert not submission.marked_late
        assert submission.note == "handed in more than once: the last attempt counts"
        assert submission.places == (
            ("b_3_2_search-10.py", ""),
            ("b_3_2_search.py", "b_LATE_3_2_search-1.py replaces it"),
            ("b_LATE_3_2_search-1.py", "b_3_2_search-10.py replaces it"),
        )

    def test_files_of_the_only_student_are_one_submission(self, tmp_path):
        files = {"doejane_12_9_search.py": SEARCH, "doejane_12_10_byhand.yaml": b""}
        assert list(by_id(read_files(tmp_path, files))) == ["doejane_12"]

    def test_of_two_files_of_one_name_the_larger_number_counts(self, read_one):
        submission = read_one("b_3_9_search.py", "b_3_10_search.py")
        assert dict(submission.places)["b_3_9_search.py"] == "b_3_10_search.py replaces it"

    @pytest.mark.parametrize("last", ["Dec 1, 2026 1130 AM", "Nov 30, 2026 200 PM"])
    def test_the_last_attempt_is_the_latest_and_not_the_last_by_name(self, tmp_path, last):
        names = [f"5-6 - Jo Ray - {time}" for time in ("Nov 30, 2026 1130 AM", last)]
        files = {f"{names[0]}/search.py": b"", f"{names[1]}/search.py": SEARCH}
        [submission] = read_files(tmp_path, {"index.html": b"", **files}).submissions
        assert submission.source == SEARCH
        assert submission.handed_in.strftime("%b %-d") == last[:6].strip(",")
        why = f"the attempt of {submission.handed_in} counts"
        assert dict(submission.places) == {names[0]: why, names[1]: ""}

    def test_an_attempt_without_a_program_replaces_none(self, tmp_path):
        attempt = "hw_jo_attempt_2026-11-0"
        files = {f"{attempt}1-00-00-00_search.py": SEARCH, f"{attempt}2-00-00-00.txt": b""}
        assert read_files(tmp_path, files).submissions[0].source == SEARCH

    def test_a_refused_submission_with_online_text_says_where_the_code_may_be(
        self, read_one
    ):
        submission = read_one("Jo_1_assignsubmission_onlinetext_/onlinetext.html")
        assert refusal(submission).endswith("; the code may be in the online text")

    def test_a_submission_is_late_if_any_of_its_files_is(self, read_one):
        names = ["b_3_2_notes.txt", "b_LATE_3_2_search.py", "b_3_2_x.txt"]
        assert read_one(*names).marked_late


class TestSections:
    def test_each_section_is_read_whatever_it_is(self, tmp_path):
        files = {f"A/{name}": content for name, content in EXPORT.items()}
        files |= {"C/kimbo_222_901_search.py": SEARCH, "readme.txt": b""}
        folder = write(tmp_path / "course", files)
        write(folder / "B.zip", {f"export/{name}": EXPORT[name] for name in EXPORT})
        course = read_course(folder)
        sections = {found.id: found.students[0].section for found in course.submissions}
        assert sections == {
            "kimbo_222": "C",
            "submission_9": "A",
            "submission_9-2": "B",
            "submission_12": "A",
            "submission_12-2": "B",
        }
        assert course.remarks == (
            "readme.txt is not a submission: neither .py nor .zip",
            "sections, each with students of its own: A, B, C",
        )

    def test_a_remark_names_its_section(self, tmp_path):
        files = {f"A/{name}": content for name, content in EXPORT.items()}
        files |= {"A/submission_7/search.py": SEARCH, "B/kimbo_2_9_search.py": SEARCH}
        course = read_files(tmp_path, files)
        assert "A: submission_7 is not in submission_metadata.yml" in course.remarks

    @pytest.mark.parametrize(
        "claims",
        [
            {**EXPORT, "submission_9/search.py": b"as you like it = 1\n"},
            {"doejane_1_2_search.py": SEARCH, "kimbo_3_4_search.py": SEARCH},
        ],
        ids=["an export", "downloads"],
    )
    def test_what_a_submission_holds_never_says_whose_it_is(self, tmp_path, claims):
        """A student's zip or folder that claims to be a course is that student's work."""
        folder = write(tmp_path / "course", {"bo/search.py": BYTES_OF_BO})
        write(folder / "eve.zip", claims)
        write(folder / "zed", claims)
        course = submissions(folder)
        assert list(course) == ["bo", "eve", "zed"]
        assert {found.students for found in course.values()} == {(Student(),)}
        assert refusal(course["eve"])
        assert refusal(course["zed"])
