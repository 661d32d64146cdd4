"""The pictures of the README are small and have descriptions."""

import re

from helpers import ROOT

from pages.pictures import PAGES, PICTURES

MAX_BYTES = 300_000


def test_the_pictures_are_small():
    assert sum((PICTURES / name).stat().st_size for name in PAGES) <= MAX_BYTES


def test_the_readme_describes_each_picture():
    text = (ROOT / "README.md").read_text()
    described = re.findall(r"!\[[^\]]{40,}\]\(docs/pictures/([\w.]+)\)", text)
    assert sorted(described) == sorted(PAGES)
