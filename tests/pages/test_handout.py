"""The handout as a page: on a phone, on a desk, on paper, and read aloud."""

import pytest

from autograder.kit import load_kit
from autograder.workbench.handout import page_of

PHONE = {"width": 390, "height": 740}
PAPER = {"width": 670, "height": 900}  # what A4 leaves between the margins, at 96 dpi
OVER = """selector => [...document.querySelectorAll(selector)].filter(
    e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
).map(e => e.outerHTML.slice(0, 80))"""

BROKEN = """blocks => blocks.filter(block => {  // whose lines are more than were written
    const height = block.clientHeight
    block.style.whiteSpace = "pre"
    const written = block.clientHeight
    block.style.whiteSpace = ""
    return height > written
}).map(block => block.textContent.slice(0, 80))"""


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    path = tmp_path_factory.mktemp("handout") / "handout.html"
    path.write_text(page_of(load_kit()), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("size", [PHONE, None], ids=["phone", "desk"])
def test_the_page_is_as_wide_as_the_screen_and_wide_things_scroll_alone(
    open_page, handout, size
):
    page = open_page(**({"viewport": size} if size else {}))
    page.goto(handout)
    wide = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == wide
    assert page.evaluate(OVER, "p, li, h2, .scroll, .table") == []
    boxes = "e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).overflowX]"
    scrolling = [
        box.evaluate(boxes)
        for box in page.locator(".scroll, .table").all()
        if box.evaluate("e => e.scrollWidth > e.clientWidth")
    ]
    assert all(overflow == "auto" for _, overflow in scrolling)
    assert bool(scrolling) == (size is PHONE)


def test_on_a_phone_all_of_a_table_is_seen_without_scrolling(open_page, handout):
    page = open_page(viewport=PHONE)
    page.goto(handout)
    assert page.locator("td", has_text="never visited").is_visible()
    narrow = "e => e.scrollWidth > e.clientWidth ? e.textContent.slice(0, 40) : null"
    tables = page.locator(".table").all()
    assert len(tables) == 7
    assert not [table.evaluate(narrow) for table in tables if table.evaluate(narrow)]
    broken = """names => names.filter(e => !e.textContent.includes(" ")
        && e.getClientRects().length > 1).map(e => e.textContent)"""
    assert page.locator(".table code").evaluate_all(broken) == []


def test_on_paper_nothing_is_cut_off(open_page, handout):
    page = open_page(viewport=PAPER)
    page.goto(handout)
    page.emulate_media(media="print")
    cut, nav = page.evaluate(OVER, "p, td, pre, svg"), page.locator("nav").is_visible()
    broken = page.locator("pre").evaluate_all(BROKEN)
    page.emulate_media(media="screen")
    assert cut == broken == [] and not nav


def test_trees_are_pictures_that_can_be_read_aloud(page, handout):
    page.goto(handout)
    trees = page.locator("svg[role=img]")
    assert trees.count() == 4
    first = trees.first
    assert "AIMA" in first.locator("title").text_content()
    assert first.locator("desc").text_content().startswith("MAX  ")
    assert trees.nth(1).locator(".leaf.pruned").count() == 2


def test_a_section_is_one_click_away(page, handout):
    page.goto(handout)
    page.locator("nav a", has_text="The rule about ties").click()
    top = "document.getElementById('5-the-rule-about-ties').getBoundingClientRect().top"
    assert abs(page.evaluate(top)) < 100
