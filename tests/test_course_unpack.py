"""A zip is unpacked within bounds: no path outside, no link, no bomb."""

import zipfile

import pytest
from exports import SEARCH, link, reason, submissions, zip_of

from autograder.course import export as unpacking
from autograder.course.export import CourseError, unpack


def _without_utf_8_flag(data):
    """Clear the flag that says UTF-8 in every header of a zip's bytes."""
    found = bytearray(data)
    for signature, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = found.find(signature)
        while at >= 0:
            found[at + place + 1] &= ~0x08
            at = found.find(signature, at + 4)
    return bytes(found)


def unpacked(tmp_path, files):
    return unpack(zip_of(tmp_path / "x.zip", files), tmp_path / "out")


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "a/../../evil.py", "/etc/evil.py", "C:/evil.py", "..\\evil.py"],
)
def test_a_path_outside_refuses_the_zip_and_is_named(tmp_path, name):
    with pytest.raises(CourseError, match="evil.py' points outside"):
        unpacked(tmp_path, {"a/search.py": SEARCH, name: SEARCH})
    assert not list(tmp_path.rglob("evil.py"))


def test_a_link_is_left_out_and_is_the_reason_of_its_submission(tmp_path):
    path = zip_of(tmp_path / "x.zip", {link("a/search.py"): b"/etc/passwd", "b/x": b""})
    assert reason(submissions(path)["a"]) == "search.py is a link; submit the file itself"


def test_a_link_in_place_of_a_submission_still_has_a_row(tmp_path):
    path = zip_of(tmp_path / "x.zip", {link("a.py"): b"/etc/passwd", "b.py": SEARCH})
    assert reason(submissions(path)["a"]) == "a.py is a link; submit the file itself"


def test_a_bomb_is_left_out_by_its_ratio(tmp_path):
    left_out = unpacked(tmp_path, {"a/bomb.txt": bytes(8 * 2**20), "b/x": b""})
    assert left_out == {"a/bomb.txt": "unpacks to more than 200 times its size"}
    assert not (tmp_path / "out/a/bomb.txt").exists()


def test_a_large_file_is_left_out_by_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_ENTRY_BYTES", 100)
    assert unpacked(tmp_path, {"a/x": bytes(101)}) == {"a/x": "is larger than 100 bytes"}


def test_too_many_bytes_refuse_the_zip_and_name_the_entry(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_BYTES", 150)
    with pytest.raises(CourseError, match="150 bytes, reached at b/y"):
        unpacked(tmp_path, {"a/x": bytes(100), "b/y": bytes(100)})


def test_too_many_entries_refuse_the_zip(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_ENTRIES", 1)
    with pytest.raises(CourseError, match="2 entries; at most 1"):
        unpacked(tmp_path, {"a": b"", "b": b""})


def test_a_damaged_entry_costs_itself_only(tmp_path):
    path = zip_of(tmp_path / "x.zip", {"a/x": b"abc" * 99, "b/y": b"1"}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"abcabc", b"abdabc", 1))
    assert unpack(path, tmp_path / "out") == {"a/x": "is damaged"}
    assert (tmp_path / "out/b/y").read_bytes() == b"1"


def test_no_zip_at_all_is_told_in_a_line(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"PK but no more")
    with pytest.raises(CourseError, match="no readable zip"):
        unpack(tmp_path / "x.zip", tmp_path)


def test_names_that_macos_packed_are_read_as_utf_8(tmp_path):
    entry = zipfile.ZipInfo("Müller/search.py")
    path = zip_of(tmp_path / "x.zip", {entry: SEARCH, "b/search.py": SEARCH})
    data = path.read_bytes()
    path.write_bytes(_without_utf_8_flag(data))
    assert "Müller" in submissions(path)


def test_windows_separators_make_folders(tmp_path):
    path = zip_of(tmp_path / "x.zip", {"a\\search.py": SEARCH, "b\\search.py": SEARCH})
    assert list(submissions(path)) == ["a", "b"]


def test_litter_is_not_unpacked(tmp_path):
    unpacked(tmp_path, {"__MACOSX/a/._search.py": b"", "a/.DS_Store": b"", "a/x": b""})
    assert sorted(p.name for p in (tmp_path / "out").rglob("*")) == ["a", "x"]
