"""The handout is readable on a phone, on a large screen, on paper and aloud."""

import pytest

from autograder.workbench.handout import page_of
from autograder.workbench.package import starter_files
from pages.engine import PHONE

PAPER = {"width": 670, "height": 900}  # A4 without its margins, at 96 dpi
OVER = """selector => [...document.querySelectorAll(selector)].filter(
    e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
).map(e => e.outerHTML.slice(0, 80))"""
SCROLLED = """boxes => boxes.filter(e => e.scrollWidth > e.clientWidth).map(e =>
    `${e.tagName} ${getComputedStyle(e).overflowX}: ${e.textContent.slice(0, 40)}`)"""
SPLIT = """names => names.filter(e => !e.textContent.includes(" ")
    && e.getClientRects().length > 1).map(e => e.textContent)"""
BROKEN = """blocks => blocks.filter(block => {  // has wrapped lines
    const height = block.clientHeight
    block.style.whiteSpace = "pre"
    const written = block.clientHeight
    block.style.whiteSpace = ""
    return height > written
}).map(block => block.textContent.slice(0, 80))"""


@pytest.fixture(scope="module")
def address(kit, tmp_path_factory):
    """Return the address of the handout."""
    path = tmp_path_factory.mktemp("handout") / "handout.html"
    path.write_text(page_of(kit, starter_files(kit)))
    return path.as_uri()


def scrolled_boxes(page):
    """Check that the page does not scroll sideways. Return the boxes in it that do.

    A box is described by its tag, its overflow and the beginning of its text.
    """
    wide = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == wide
    assert page.evaluate(OVER, "p, li, h2, pre, table") == []
    return page.locator("pre, table").evaluate_all(SCROLLED)


def test_on_a_phone_only_wide_drawings_scroll_and_tables_fit(open_page, address):
    page = open_page(viewport=PHONE)
    page.goto(address)
    boxes = scrolled_boxes(page)
    assert boxes and all(box.startswith("PRE auto: ") for box in boxes), boxes
    assert page.locator("td", has_text="c2 and c3 are pruned").is_visible()
    assert page.locator("table").count() == 6
    assert page.locator("table code").evaluate_all(SPLIT) == []


def test_nothing_is_cut_off_on_paper(open_page, address):
    page = open_page(viewport=PAPER)
    page.goto(address)
    page.emulate_media(media="print")
    cut = page.evaluate(OVER, "p, td, pre")
    broken = page.locator("pre").evaluate_all(BROKEN)
    nav_is_visible = page.locator("nav").is_visible()
    page.emulate_media(media="screen")
    assert cut == []
    assert broken == []
    assert not nav_is_visible
