"""What a course may look like, what is read of it, and within what bounds."""

import random
import re
import tracemalloc
import zipfile

import pytest
from fixtures.make_class import metadata, write, write_layouts

from autograder.course import download
from autograder.course.download import (
    Submission,
    entries_of,
    read_course,
    read_metadata,
    safe_id,
    unique,
)
from autograder.course.people import CourseError, Student

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


def submissions(path):
    """Return id -> Submission of the course at a path."""
    return {submission.id: submission for submission in read_course(path).submissions}


def reason(submission):
    """Return why a submission cannot be graded."""
    assert submission.source is None and submission.refusal.isprintable()
    return submission.refusal


class TestReading:
    def test_a_folder_of_python_files_zips_and_folders(self, tmp_path):
        files = {"00123.py": SEARCH, "hw_1.py": SEARCH, "submission_9/search.py": SEARCH}
        folder = write(tmp_path / "course", {**files, "notes.txt": b""})
        write(folder / "00124.zip", {"search.py": SEARCH})
        course = submissions(folder)
        assert sorted(course) == ["00123", "00124", "hw_1", "submission_9"]
        for one in course.values():
            assert one.source == SEARCH and one.students == (Student(),)

    def test_an_export_however_deep_it_lies(self, tmp_path):
        for number, wrapped in enumerate(("", "assignment_1_export/", "a/b/")):
            files = {
                f"{wrapped}submission_metadata.yml": METADATA.encode(),
                f"{wrapped}submission_12/search.py": SEARCH,
                f"{wrapped}submission_9/": b"",
                f"{wrapped}.DS_Store": b"",
                "__MACOSX/._x": b"",
            }
            folder = tmp_path / str(number)
            for path in (write(folder, files), write(tmp_path / "course.zip", files)):
                course = submissions(path)
                assert list(course) == ["submission_9", "submission_12"], wrapped
                sids = [who.sid for who in course["submission_12"].students]
                assert sids == ["00123", ""]

    def test_listed_or_not_everybody_has_a_row_that_says_what_is_odd(self, tmp_path):
        text = METADATA.replace("cy@example.edu", "bo@example.edu")
        files = {"submission_9/search.py": SEARCH, "submission_77/search.py": SEARCH}
        files["submission_metadata.yml"] = text.encode()
        course = read_course(write(tmp_path / "course", files))
        assert [(one.id, one.refusal, one.note) for one in course.submissions] == [
            ("submission_9", "", ""),
            ("submission_12", "its folder is not in the export", ""),
            ("submission_77", "", "not in submission_metadata.yml"),
        ]
        assert course.remarks == ("submission_77 is not in submission_metadata.yml",)

    def test_what_holds_no_course_is_told_in_a_line(self, tmp_path):
        (tmp_path / "notes.txt").write_text("")
        (tmp_path / "empty").mkdir()
        write(tmp_path / "export.zip", {"notes.txt": ""})
        for name, line in {
            "nothing": "nothing: no such file or folder; give SUBMISSIONS=path",
            "notes.txt": "notes.txt: no submissions: no folder, .py file or zip in it",
            "export.zip": "export.zip: no submissions",
            "empty": "empty: no submissions",
        }.items():
            with pytest.raises(CourseError, match=line):
                read_course(tmp_path / name)


def test_an_id_is_a_plain_folder_name_and_no_two_are_one(tmp_path):
    for name in ("..", "", "a/b", "a\nb", ".hidden", "x" * 400, "\ud800"):
        made = safe_id(name)
        (tmp_path / made).mkdir(exist_ok=True)
        assert (tmp_path / made).parent == tmp_path and not made.startswith(".")
    ids = unique(["Ada", "ada", "report.html"])
    assert ids == ["Ada", "ada-2", "report.html-2"]


class TestMetadata:
    """submission_metadata.yml: who handed in what, and nothing else of it is read."""

    @staticmethod
    def read(text=METADATA, encoding="utf-8"):
        """Return folder name -> Students."""
        listed = read_metadata(text.encode(encoding), "metadata.yml")
        return {name: entry.students for name, entry in listed.items()}

    def test_every_member_of_a_group_is_read_and_a_sid_keeps_its_zeros(self):
        assert self.read()["submission_12"] == (
            Student('Åsa "Ö" O\'Neil', "00123", "asa@example.edu"),
            Student("Bo", "", "bo@example.edu"),
        )

    def test_results_that_look_like_submitters_are_no_submitters(self):
        for line_end in ("\n", "\u2028", "\x85", "\x0c"):
            text = METADATA.replace("- :name: nobody", f"a{line_end}submission_9:")
            assert self.read(text) == self.read(), line_end

    def test_an_entry_that_is_not_yaml_costs_its_own_names_only(self):
        listed = read_metadata(METADATA.replace("Åsa", "'Åsa").encode(), "metadata.yml")
        note = "submission_metadata.yml, line 2: not YAML"
        assert listed["submission_12"] == Submission("submission_12", note=note)
        assert listed["submission_9"].students == (Student("Cy", "", "cy@example.edu"),)

    def test_a_name_is_one_line_that_steers_no_terminal(self):
        name = r'"\e]0;x\a Ada\u202e\n=1 \u0639\u0644\u06cc\u200c"'
        text = METADATA.replace('Åsa "Ö" O\'Neil', name)
        who = self.read(text)["submission_12"][0]
        assert who.name == "?]0;x? Ada? =1 \u0639\u0644\u06cc"

    def test_what_lists_no_submission_is_refused(self):
        for text in ("", "just text\n", "- a\n- b\n"):
            with pytest.raises(CourseError, match="export it again"):
                self.read(text)

    def test_when_it_came_and_what_gradescope_gave_are_read(self):
        ruby = "!ruby/object:x\n    utc: 2026-12-01 22:58:59.123456000 Z\n    zone: !x\n"
        for written, read in {
            ruby: "2026-12-01T22:58:59+00:00",
            "2026-12-01 23:00:00.5 +0100": "2026-12-01T23:00:00+01:00",
            "'2026-12-01T23:00:00Z'": "2026-12-01T23:00:00+00:00",
            "yesterday": "",
            "2026-13-45 12:00:00 Z": "",
            "": "",
        }.items():
            text = f"a:\n  :created_at: {written}\n  :score: 86.5\n"
            one = read_metadata(text.encode(), "x")["a"]
            came = one.handed_in.isoformat() if one.handed_in else ""
            assert (came, one.score) == (read, 8650), written

    def test_students_are_read_without_their_results(self):
        folders = [f"submission_{n}" for n in range(300)]
        text = metadata(folders, random.Random(1), rows=30, history=1)
        kept = "".join(entry for _, entry in entries_of(text))
        assert len(kept) < len(text) / 30
        assert len(self.read(text)) == 300


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


BY_OTHERS = {"bo/search.py": b"y = 1\n"}


def both(path, files, kind=zipfile.ZIP_DEFLATED):
    """Return the submissions of a course's x.zip that holds these files and Bo's."""
    course = submissions(write(path / "x.zip", {**files, **BY_OTHERS}, kind=kind))
    assert course["bo"].source == BY_OTHERS["bo/search.py"]
    return course


class TestZips:
    """Nothing is unpacked, and no entry costs anybody but its own submission."""

    def test_names_that_no_folder_could_hold_or_that_lead_outside_are_only_names(
        self, tmp_path
    ):
        for names in (
            ("a/x", "a/x\\y"), ("a", "a/x/search.py/y"), ("a/\u00e9.txt", "a/e\u0301.txt"),
            ("a/" + "\ufb2c" * 80,),  # 240 bytes, and 480 when it is normalised
            ("a/README", "a/readme"), ("a/" + "x/" * 2000 + "y",), ("a/" + "n" * 60_000,),
            ("a/..\\notes.txt", "a/con", "a/x:y"), ("../evil.py", "a/y"),
            ("a/../../evil.txt",), ("/etc/evil.py", "C:/evil.py", "a/y"),
        ):  # fmt: skip
            without = both(tmp_path, dict.fromkeys(names, b""))["a"]
            assert reason(without).startswith("no search.py in the submission; found: ")
            names = [*names, "a/search.py"]
            assert both(tmp_path, dict.fromkeys(names, SEARCH))["a"].source == SEARCH
        assert not list(tmp_path.rglob("evil.*"))

    def test_names_that_collide_each_have_a_row(self, tmp_path):
        names = ("\u00e9.py", "e\u0301.py", "E.py", "e.py", "9" * 5000 + ".py")
        course = both(tmp_path, dict.fromkeys(names, SEARCH))
        assert len(course) == 6 and {one.source for one in course.values()} >= {SEARCH}

    def test_a_bomb_is_refused_and_costs_no_memory(self, tmp_path):
        for kind, said in {
            zipfile.ZIP_DEFLATED: "has 10,485,760 bytes; at most 1,048,576 are graded",
            zipfile.ZIP_BZIP2: "is packed in an unusual way; zip it as others do",
        }.items():
            bomb = {"a/search.py": bytes(10 * 2**20)}
            path = write(tmp_path / "x.zip", bomb, kind=kind)
            tracemalloc.start()
            assert reason(submissions(path)["a"]) == f"a/search.py {said}"
            assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
            tracemalloc.stop()

    def test_what_is_wrong_with_an_entry_costs_its_submission_only(self, tmp_path):
        for name in ("a/search.py", "a.py", "a.zip"):
            refusal = f"{name} is a link; submit the file itself"
            assert reason(both(tmp_path, {link(name): b"/etc/passwd"})["a"]) == refusal
        long = {"n" * 60_000 + str(n): b"" for n in range(80)}
        course = both(tmp_path, {"a.zip": write(tmp_path / "a.zip", long).read_bytes()})
        assert reason(course["a"]) == "a.zip lists too many files; submit one"
        path = tmp_path / "x.zip"
        for change, said in (
            (lambda data: data.replace(b"abcabc", b"abdabc", 1), "damaged in its zip"),
            (lambda data: with_flags(data, add=1, places=1), "encrypted"),
        ):
            both(tmp_path, {"a/search.py": b"abc" * 99}, zipfile.ZIP_STORED)
            path.write_bytes(change(path.read_bytes()))
            course = submissions(path)
            assert reason(course["a"]) == f"a/search.py is {said}"
            assert course["bo"].source == BY_OTHERS["bo/search.py"]

    def test_names_are_read_whatever_made_the_zip_and_whatever_it_claims(self, tmp_path):
        path, entry = tmp_path / "x.zip", zipfile.ZipInfo("Müller/search.py")
        write(path, {"a/é.txt": b"", "a/search.py": SEARCH})  # claims UTF-8, and is not
        path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9\xe9"))
        assert submissions(path)["a"].source == SEARCH
        write(path, {entry: SEARCH, "b/search.py": SEARCH})  # as macOS packs it
        for _ in range(2):
            assert submissions(path)["Müller"].source == SEARCH
            path.write_bytes(with_flags(path.read_bytes(), clear=0x08))
        write(path, {"a\\search.py": SEARCH, "b\\search.py": SEARCH})  # and Windows
        assert list(submissions(path)) == ["a", "b"]

    def test_a_zip_with_more_names_than_any_class_has_is_refused(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(download, "MAX_LIST_BYTES", 100)
        with pytest.raises(CourseError, match="lists too many files"):
            both(tmp_path, {"a/search.py": SEARCH})


EXPORT = {**LISTED, "submission_12/search.py": SEARCH, "submission_9/search.py": SEARCH}


class TestLayouts:
    """Nobody vanishes, whoever made the download."""

    def test_canvas_has_files_and_moodle_folders_or_files(self, tmp_path):
        folder = write(tmp_path / "course", {
            "doejane_LATE_12345_678_search-1.py": SEARCH,
            "kimbo_222_901_search.py": SEARCH,
            "kimbo_222_901_notes.txt": b"",
            "leeann_333_902_hw.ipynb": b"{}",
            "o'neil_444_903_Search (1).py": SEARCH,
            "quoflo_666_905_search.rar": b"Rar!",
            "eve_1_2_x_3_4_search-1-2.py": SEARCH,
            "flo_2_2_notes-1": b"",
            "b_3_2_search.py": b"",
            "b_3_2_search-10.py": SEARCH,
            "b_LATE_3_2_search-1.py": b"",
            "Jane Doe_12_assignsubmission_file_/search.py": SEARCH,
            "Jane Doe_12_assignsubmission_onlinetext_/onlinetext.html": b"hello",
            "Bo Kim_34_assignsubmission_file_search.py": SEARCH,
            "Bo_7_assignsubmission_file_9_assignsubmission_file_search.py": SEARCH,
            "Al_8_assignsubmission_file/search.py": SEARCH,
            "Ed_56_assignsubmission_file_/": b"",
        })  # fmt: skip
        write(folder / "pazed_555_904_search.zip", {"hw/search.py": SEARCH})
        moodle, none = "_assignsubmission_file", "no search.py in the submission; found: "
        expected = {
            "doejane_12345": ("doejane_LATE_12345_678", ""),
            "kimbo_222": ("kimbo_222_901", ""),
            "leeann_333": ("leeann_333_902", f"{none}hw.ipynb; hw.ipynb is a notebook"),
            "o'neil_444": ("o'neil_444_903", "Search (1).py was taken for search.py"),
            "pazed_555": ("pazed_555_904", ""),
            "quoflo_666": ("quoflo_666_905", f"{none}search.rar; search.rar is an arch"),
            "eve_1": ("eve_1_2", "x_3_4_search-1.py was taken for search.py"),
            "flo_2": ("flo_2_2", f"{none}notes-1"),
            "b_3": ("b_3_2", "search.py came more than once: the last one counts"),
            "Jane Doe_12": (f"Jane Doe_12{moodle}", ""),
            "Bo Kim_34": (f"Bo Kim_34{moodle}", ""),
            "Bo_7": (f"Bo_7{moodle}", f"9{moodle}_search.py was taken for search.py"),
            "Al_8": (f"Al_8{moodle}", ""),
            "Ed_56": (f"Ed_56{moodle}", f"{none}nothing"),
        }
        course = submissions(folder)
        assert course.keys() == expected.keys()
        for id, (report, said) in expected.items():
            one, (name, _, number) = course[id], id.rpartition("_")
            number = f"participant {number}" if moodle in report else number
            assert one.students == (Student(name, number=number),)
            assert one.report == f"{report}_report"
            assert one.marked_late is (id == "doejane_12345")
            assert one.source == (None if none in said else SEARCH), id
            assert said in one.note + one.refusal and bool(one.note) <= bool(said), id

    def test_each_section_is_read_whatever_it_is(self, tmp_path):
        files = {f"A/{name}": content for name, content in EXPORT.items()}
        files |= {"C/kimbo_222_901_search.py": SEARCH, "readme.txt": b""}
        folder = write(tmp_path / "course", files)
        write(folder / "B.zip", {f"export/{name}": EXPORT[name] for name in EXPORT})
        course = read_course(folder)
        sections = {one.id: one.students[0].section for one in course.submissions}
        assert sections == {
            "kimbo_222": "C", "submission_9": "A", "submission_9-2": "B",
            "submission_12": "A", "submission_12-2": "B",
        }  # fmt: skip
        assert course.remarks == (
            "readme.txt is no submission: neither .py nor .zip",
            "sections, each with students of its own: A, B, C",
        )

    def test_what_a_submission_holds_never_says_whose_it_is(self, tmp_path):
        """A student's zip or folder that claims to be a course is that student's work."""
        claims = {**EXPORT, "submission_9/search.py": b"as you like it = 1\n"}
        downloads = {"doejane_1_2_search.py": SEARCH, "kimbo_3_4_search.py": SEARCH}
        for number, own in enumerate((claims, downloads)):
            folder = write(tmp_path / str(number), BY_OTHERS)
            write(folder / "eve.zip", own)
            write(folder / "zed", own)
            course = submissions(folder)
            assert list(course) == ["bo", "eve", "zed"]
            assert {who for one in course.values() for who in one.students} == {Student()}
            assert reason(course["eve"]) and reason(course["zed"])

    def test_no_student_is_lost_in_any_layout(self, tmp_path):
        """A made-up class, as Gradescope, Canvas, Moodle and TAs hand it over."""
        paths = write_layouts(tmp_path, submissions=60, seed=2)  # of each kind
        courses = {
            path.name: {
                re.search("[0-9]{9}", id)[0]: one for id, one in submissions(path).items()
            }
            for path in paths
        }
        first = courses["export"]
        there = {number for number, one in first.items() if one.source is not None}
        assert len(first) == 60 and 50 < len(there) < 60
        for layout, course in courses.items():
            without = layout in ("canvas.zip", "files")
            assert course.keys() >= (there if without else first.keys()), layout
            for number, one in course.items():
                assert one.source == first[number].source, (layout, number)
                assert one.source is not None or one.refusal
