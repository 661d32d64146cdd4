"""A platform is one record: an invented one is read, matched, and gets its own books."""

import re
from zipfile import ZipFile

import pytest
from courses import NEEDS_FORK, TOTAL, books
from helpers import CORRECT, write

from autograder.course import books as course_books
from autograder.course import download, roster
from autograder.course.platforms import PLATFORMS, Platform

pytestmark = NEEDS_FORK

ILIAS = Platform(
    name="Ilias",
    pattern=re.compile(r"(?P<name>[^_]+)_ilias(?P<number>[0-9]+)_(?P<file>.*)"),
    report="{name}_{number}_reply",
    can_be_imitated=False,
    headings=(("object id", "mark"),),
    has_grades=True,
    book="ilias.csv",
)


@pytest.fixture
def with_ilias(monkeypatch):
    """Add a platform to the table of platforms."""
    for module in (download, roster, course_books):
        monkeypatch.setattr(module, "PLATFORMS", (*PLATFORMS, ILIAS))


def test_a_new_platform_is_one_record(walk, tmp_path, with_ilias):
    folder = write(tmp_path / "export", {"Ada King_ilias12_search.py": CORRECT})
    rows = "Object ID,Full name,SID,Mark\n12,Ada King,007,\n13,Bo Kim,008,5\n"
    write(tmp_path, {"ilias list.csv": rows})
    (walk.out / "people.csv").unlink()
    walk.grade_all("--roster", tmp_path / "ilias list.csv", course=folder)
    [ada, bo] = books(walk.out)
    assert (ada["sid"], ada["score"], bo["status"]) == ("007", TOTAL, "no submission")
    assert [row["Mark"] for row in books(walk.out, "ilias.csv")] == [TOTAL, "5"]
    assert ZipFile(walk.out / "feedback.zip").namelist() == ["Ada King_12_reply.html"]
