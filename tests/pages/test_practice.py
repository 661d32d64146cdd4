"""The practice page checks answers, gives hints, shows steps and is easy to read."""

import re

import pytest
from helpers import cases, check_words, tables, tables_beside

from pages import engine
from pages.engine import (
    cross,
    is_off,
    overlaps,
    says,
    visit,
    walk,
)

TABLES = tables_beside(__file__)

COLOURS = """Object.fromEntries(
  "ink soft accent warn card paper tint".split(" ").map((name) =>
    [name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`)]))"""
PICTURES = """["forward", "back"].map((way) => {
  const button = document.getElementById(way), pictures = [];
  for (;;) {
    pictures.push(document.querySelector("#scroll svg").outerHTML);
    if (button.getAttribute("aria-disabled") === "true") return pictures;
    button.click();
  }
})"""


@cases("answers of the practice page")
def test_an_answer_is_checked_and_explained(address, names, answers, page):
    visit(page, address)
    cross(page, *names)
    page.dispatch_event("#check", "click")
    if not says(page).startswith("✓"):
        page.dispatch_event("text=Explain the first", "click")
    check_words(says(page), answers)


@cases("walks of the practice page")
def test_a_walk_goes_as_the_yaml_file_says(steps, page):
    walk(page, steps)


# Levels


def test_each_new_tree_has_the_shape_of_its_level(practice):
    for level, *kind in TABLES["levels of the practice page"]:
        practice.select_option("#level", str(level))
        practice.dispatch_event("#another", "click")
        practice.dispatch_event("#another", "click")
        given = practice.evaluate("[settings.depth, settings.ties, settings.uneven]")
        assert given == kind, level
        assert practice.input_value("#level") == str(level), level


# Steps


def test_stepping_back_shows_the_same_drawings_in_reverse(page):
    visit(page, "tree=[[3,12],[2,[4,5]]]&mode=step")
    forwards, backwards = page.evaluate(PICTURES)
    assert len(set(forwards)) == len(forwards) == 12
    assert is_off(page, "back") and backwards[::-1] == forwards


# Trees and addresses


def test_an_address_sets_the_tree(page):
    visit(page, "seed=week3&depth=3&branching=2&root=min&ties=on&uneven=on")
    assert page.input_value("#values") == "[[[0], [1, -1]], [[2], -1]]"
    assert page.evaluate("settings.root") == "min"


def test_a_new_tree_is_different_and_its_address_draws_it_again(page):
    visit(page)
    before = page.input_value("#values")
    page.click("#another")
    values = page.input_value("#values")
    assert values != before
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    assert page.input_value("#values") == values


TOO_MANY = [str([1] * 129), "More than 128 leaves: write a smaller tree."]


def test_invalid_values_get_one_clear_line(practice):
    for text, line in (*tables("slips")["practice"], TOO_MANY):
        practice.fill("#values", text)
        practice.dispatch_event("text=Draw these values", "click")
        assert practice.inner_text("#ownnotice") == line, text
        assert practice.evaluate("root.children.length") == 3, text


@cases("wrong addresses of the practice page")
def test_the_page_says_what_is_wrong_in_an_address(address, notice, page):
    visit(page, f"{address}&mode=step")
    assert notice in page.inner_text("#notice")
    assert page.is_checked("[name=mode][value=step]")


# Size, width and colours


def test_the_page_is_one_small_file_that_loads_no_other_file():
    text = engine.PAGE.read_text()
    assert len(text.encode()) < 74_000  # loads at once, with the code for pages of steps
    assert re.findall(r"https?://[^\s\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=\"(?!data:)", text)


PAGE_WIDTH = "document.documentElement.scrollWidth"
TREE_WIDTH = "document.getElementById('scroll').scrollWidth"
SCROLLS = "document.querySelector('#scroll').classList.contains('wide')"


@cases("trees that fit a phone")
def test_a_small_tree_fits_a_phone(mode, address, open_page):
    page = open_page(viewport=engine.PHONE)
    visit(page, f"{address}&mode={mode}")
    box = page.locator("#scroll svg").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= engine.PHONE["width"]
    assert not page.evaluate(SCROLLS)
    assert page.evaluate(PAGE_WIDTH) == engine.PHONE["width"]


def test_a_wide_tree_scrolls_on_a_phone_and_nothing_else_does(open_page):
    page = open_page(viewport=engine.PHONE)
    visit(page, "seed=1&depth=4&branching=3&mode=step")
    assert page.evaluate(PAGE_WIDTH) == engine.PHONE["width"]
    assert page.evaluate(TREE_WIDTH) > 1000 and page.evaluate(SCROLLS)
    assert page.locator("svg text.row").all_text_contents() == ["MAX", "MIN"] * 2


@cases("addresses of the practice page")
def test_nothing_in_the_drawing_overlaps(width, address, open_page):
    page = open_page(viewport={"width": width, "height": 740})
    visit(page, f"{address}&mode=step")
    page.dispatch_event("#last", "click")
    assert overlaps(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(open_page, scheme):
    page = visit(open_page(color_scheme=scheme))
    colours = page.evaluate(COLOURS)
    for pair in TABLES["texts and grounds of the practice page"]:
        text, background = (luminance(colours[name]) for name in pair.split("-"))
        low, high = sorted([text, background])
        assert (high + 0.05) / (low + 0.05) >= 4.5, pair  # as WCAG defines the contrast


def luminance(colour):
    """Return the relative luminance of "#rrggbb", with the usual gamma of 2.2."""
    channels = bytes.fromhex(colour.strip().lstrip("#"))
    red, green, blue = ((channel / 255) ** 2.2 for channel in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
