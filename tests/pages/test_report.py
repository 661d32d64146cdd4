"""The report works by keyboard and on a phone."""

import pytest
from drawn import NO_CUTOFF, grading_of, textbook
from helpers import tree_of

from autograder.showing.report import report_html
from pages.engine import PHONE

ATTACK = "</pre><img src=x onerror='document.title=1'><script>document.title = 2</script>"
WIDE = tree_of([[n, n + 1, -n, n * 1000] for n in range(12)], name="wide")
LONG_NAME = "Anamethatisalong"
LONG = tree_of(f"{{{LONG_NAME}: [3, 12], C: [2, 4]}}", name="long")
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true })"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the address of the report on a submission without cutoffs that prints HTML."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    hidden = [tree_of([[5, 6], [1, 2]], name="hidden")]
    grading = grading_of(NO_CUTOFF, [textbook(), LONG, WIDE], hidden, printed=ATTACK)
    path.write_text(report_html(grading))
    return path.as_uri()


@pytest.fixture
def phone(open_page, report):
    """Return the report on a phone, with all rows open."""
    page = open_page(viewport=PHONE)
    page.goto(report)
    page.evaluate(OPEN_ALL)
    return page


def size_of(drawing):
    """Return (width, height) of a drawing on the screen, in pixels."""
    box = drawing.bounding_box()
    return box["width"], box["height"]


def test_a_tree_shrinks_in_proportion_to_fit_a_phone(phone):
    figure = phone.locator("#row-2-01 .scroll").first
    drawing = figure.locator("svg")
    drawn_width = int(drawing.get_attribute("width"))
    drawn_height = int(drawing.get_attribute("height"))
    width, height = size_of(drawing)
    assert width < drawn_width
    assert width <= figure.evaluate("e => e.clientWidth"), "the figure must not scroll"
    assert height / width == pytest.approx(drawn_height / drawn_width, rel=0.01)


def test_a_wide_tree_stays_readable_and_scrolls_in_its_figure_on_a_phone(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    figure = phone.locator("#row-2-01 .scroll").last
    drawing = figure.locator("svg")
    width, _ = size_of(drawing)
    assert width == pytest.approx(0.6 * int(drawing.get_attribute("width")), abs=1)
    assert figure.evaluate("e => e.scrollWidth > e.clientWidth")
    shadow = figure.evaluate("e => getComputedStyle(e).backgroundAttachment")
    assert shadow == "local, local, scroll, scroll", "a shadow means: scroll"
    figure.focus()
    phone.keyboard.press("ArrowRight")
    scrolled = "document.activeElement.scrollLeft > 0"  # wait_for_function is forbidden
    for _ in range(1000):
        if phone.evaluate(scrolled):
            break
        phone.wait_for_timeout(20)
    assert phone.evaluate(scrolled)


def test_a_long_node_name_does_not_widen_the_page(page, report):
    page.goto(report)
    page.evaluate(OPEN_ALL)
    assert page.locator("text.beside").first.text_content() == LONG_NAME
    assert page.locator("main").bounding_box()["width"] == 1120
