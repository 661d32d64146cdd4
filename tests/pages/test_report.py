"""The report in a real browser: opens by keyboard, in the dark, on a phone."""

import pytest
from drawn import NO_CUTOFF, grading_of, textbook
from helpers import tree_of

from autograder.showing.report import write_report

PHONE = {"width": 390, "height": 740}
ATTACK = "</pre><img src=x onerror='document.title=1'><script>document.title = 2</script>"
WIDE = tree_of([[n, n + 1, -n, n * 1000] for n in range(12)], name="wide")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The address of the report on a submission that never cuts off and prints HTML."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    hidden = [tree_of([[5, 6], [1, 2]], name="hidden")]
    write_report(grading_of(NO_CUTOFF, [textbook(), WIDE], hidden, printed=ATTACK), path)
    return path.as_uri()


def test_the_first_wrong_tree_lies_open_drawn_and_what_is_printed_does_nothing(
    page, report
):
    page.goto(report)
    row = page.locator("#row-2-01")
    assert row.get_attribute("open") is not None
    drawn = row.locator("svg[role=img]").first
    assert drawn.locator(".needless.leaf").count() == 2
    assert drawn.locator(".leaf.visited").count() == 7
    assert "as your alphabeta searched it" in drawn.locator("title").text_content()
    heard = drawn.locator("desc").text_content()
    assert heard.startswith("MAX") and "visited needlessly" in heard
    assert "c2 and c3 needlessly" in row.locator(".findings").first.inner_text()
    assert row.locator("pre").first.inner_text() == ATTACK
    assert page.title() == "search.py: report"
    assert page.locator("img").count() == 0 and page.locator("script").count() == 0


def test_a_row_opens_by_keyboard(page, report):
    page.goto(report)
    row = page.locator("#minimax details.right").first
    inside = row.locator("#row-1-01 > summary")
    assert not inside.is_visible()
    row.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert inside.is_visible()


def test_a_wide_tree_scrolls_in_its_figure_and_the_page_does_not(open_page, report):
    page = open_page(viewport=PHONE)
    page.goto(report)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box = page.locator("#row-2-01 .scroll").last
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    scrolled = "document.activeElement.scrollLeft > 0"  # the policy forbids to wait for it
    assert any(page.evaluate(scrolled) or page.wait_for_timeout(20) for _ in range(1000))


def test_dark_and_light_follow_the_reader(open_page, report):
    grounds = []
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto(report)
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(250, 249, 246)", "rgb(21, 22, 25)"]
