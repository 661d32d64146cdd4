"""The practice page to the eye: small, offline, readable on a phone and in the dark."""

import re

import pytest

from pages.practice import PAGE, visit

PHONE = {"width": 360, "height": 740}
TEXT_ON_GROUND = (
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "tint"),
    ("soft", "paper"),
    ("soft", "card"),
    ("accent", "paper"),
    ("warn", "paper"),
    ("card", "accent"),
    ("card", "warn"),
)
ADDRESSES = [
    "seed=1&depth=3&branching=3",
    "seed=2&depth=6&branching=2&uneven=on&root=min",
    "seed=3&depth=5&branching=2&ties=on",
    "seed=4&depth=2&branching=5",
    "tree=[[10001,-20000,3.25],[[1,2],7],[0]]",
    "tree=[0.123456,[[[[-123456789]]]],5]",
]
OVERLAPS = """() => {
  const drawn = document.querySelectorAll('.shape, .bound, .pill rect, .leaf .name, .row');
  const parts = [...drawn]
    .map(e => [e, e.getBoundingClientRect()]).filter(([, b]) => b.width);
  const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const of = e => `${e.closest('[data-node]')?.dataset.node}:${e.textContent || e.tagName}`;
  const found = [];
  parts.forEach(([e, a], i) => parts.slice(i + 1).forEach(([f, b]) => {
    if (touch(a, b)) found.push(`${of(e)} over ${of(f)}`);
  }));
  return found;
}"""


def test_it_is_one_small_file_that_needs_nothing_else():
    text = PAGE.read_text()
    assert len(text.encode()) < 60_000
    assert re.findall(r"https?://[^\s\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=\"(?!data:)", text)


@pytest.mark.parametrize("mode", ["prune", "step", "quiz"])
def test_a_phone_scrolls_the_drawing_sideways_and_nothing_else(open_page, mode):
    page = visit(open_page(viewport=PHONE), f"mode={mode}")
    wide = "document.documentElement.scrollWidth"
    drawing = "document.getElementById('scroll').scrollWidth"
    assert page.evaluate(wide) == 360 and page.evaluate(drawing) <= 336
    visit(page, f"seed=1&depth=4&branching=3&mode={mode}")
    assert page.evaluate(wide) == 360 and page.evaluate(drawing) > 1000
    page.evaluate("goTo(30)")
    figure, panel = (page.locator(name).bounding_box() for name in (".figure", ".panel"))
    assert panel["width"] == figure["width"] == 336
    for inside in page.locator(".panel button:visible, .panel td:visible").all():
        box = inside.bounding_box()
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]


def test_the_steps_stay_in_view_on_a_phone(open_page):
    page = visit(open_page(viewport=PHONE), "seed=1&depth=4&branching=3&mode=step")
    page.click("#last")
    page.click("#back")
    box = page.locator(".current .shape").bounding_box()
    assert 0 <= box["x"] <= 360 - box["width"]


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_in_the_drawing_overlaps(open_page, width):
    page = visit(open_page(viewport={"width": width, "height": 800}))
    for address in ADDRESSES:
        visit(page, f"{address}&mode=step")
        page.click("#last")
        assert page.evaluate(OVERLAPS) == [], address


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(open_page, scheme):
    page = visit(open_page(color_scheme=scheme))
    colours = page.evaluate(
        "names => Object.fromEntries(names.map(n => [n, getComputedStyle("
        "document.documentElement).getPropertyValue('--' + n).trim()]))",
        sorted({name for pair in TEXT_ON_GROUND for name in pair}),
    )
    for pair in TEXT_ON_GROUND:
        low, high = sorted(luminance(colours[name]) for name in pair)
        assert (high + 0.05) / (low + 0.05) >= 4.5, pair


def luminance(colour):
    """Return the relative luminance of "#rrggbb", as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_reader_who_asks_for_no_motion_gets_none(practice):
    duration = "getComputedStyle(document.querySelector('.node')).transitionDuration"
    assert practice.evaluate(duration) == "0s"
