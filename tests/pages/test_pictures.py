"""The pictures of the README show today's pages, are small, and have descriptions."""

import re

import pytest
from helpers import ROOT

from pages.pictures import PAGES, PICTURES, RECORD, record_of, write_pages

MAX_BYTES = 300_000


@pytest.fixture(scope="module")
def pages_today(tmp_path_factory):
    return write_pages(tmp_path_factory.mktemp("pictures"))


@pytest.mark.parametrize("picture", PAGES)
def test_a_picture_shows_the_page_of_today(pages_today, picture):
    line = record_of({picture: pages_today[picture]})
    recorded = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    assert line in recorded, "run python -m tests.pages.pictures, and look at the pictures"


def test_the_pictures_are_small():
    assert sum((PICTURES / name).stat().st_size for name in PAGES) <= MAX_BYTES


def test_the_readme_describes_each_picture():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    described = re.findall(r"!\[[^\]]{40,}\]\(docs/pictures/([\w.]+)\)", text)
    assert sorted(described) == sorted(PAGES)
