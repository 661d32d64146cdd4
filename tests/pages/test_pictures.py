"""The pictures of the README are small and have descriptions."""

import re

from helpers import ROOT, kit_text

PICTURES = ROOT / "docs" / "pictures"
MAX_BYTES = 300_000


def test_the_pictures_are_small_and_the_readme_describes_each():
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) <= MAX_BYTES
    text = kit_text("README.md")
    described = re.findall(r"!\[[^\]]{40,}\]\(docs/pictures/([\w.]+)\)", text)
    assert sorted(described) == sorted(path.name for path in PICTURES.iterdir())
