"""The practice page checks answers, gives hints, shows steps and is easy to read."""

import re

import pytest
from helpers import cases_beside, slips

from pages import engine
from pages.engine import (
    cross,
    edge,
    is_off,
    node,
    overlaps,
    pruned_names,
    says,
    visit,
    visited_names,
)

cases = cases_beside(__file__)

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


def bounds_at(page, name):
    """Return the alpha and beta that are drawn beside a node."""
    return node(page, name).locator(".bound").all_text_contents()


@pytest.mark.parametrize("address, names, answers", cases("answers of the practice page"))
def test_an_answer_is_checked_and_explained(page, address, names, answers):
    visit(page, address)
    cross(page, *names)
    page.dispatch_event("#check", "click")
    if not says(page).startswith("✓"):
        page.dispatch_event("text=Explain the first", "click")
    assert [answer for answer in answers if answer not in says(page)] == [], says(page)


def test_two_hints_come_before_the_explanation(practice):
    practice.click("#check")
    assert says(practice).startswith(
        "✗ 2 more branches are pruned.\nLook at C (MIN), after c1 = 2: what are alpha and "
        "beta there, and is the condition met?"
    )
    assert "cannot matter" not in says(practice) and "There alpha" not in says(practice)
    assert "current" in node(practice, "C").get_attribute("class")
    assert not practice.locator(".edge.wrong").count()
    assert bounds_at(practice, "C") == ["", ""]
    practice.click("#hint")
    assert says(practice).endswith(
        "There alpha = 3, beta = 2. The condition: prune if <= 3."
    )
    assert bounds_at(practice, "C") == ["α 3", "β 2"]
    assert node(practice, "C").locator(".note").text_content() == "prune if <= 3"
    cross(practice, "c2", "c3")
    practice.click("#hint")
    assert says(practice) == "Nothing is wrong now. Check again."


@pytest.mark.parametrize("cutoff, sign", [("equal", "<= alpha"), ("strict", "< alpha")])
def test_the_cutoff_condition_is_explained(page, cutoff, sign):
    visit(page, f"tree=[1,[1,1]]&cutoff={cutoff}")
    assert not page.locator("#about").is_visible()
    page.click("text=What is the condition?")
    assert f"prune if the value so far is {sign}" in page.inner_text("#about")


# Levels and the score


def answer(page, right=True):
    """Give the correct answer for the tree, or a wrong answer."""
    branches = "run.pruned" if right else "run.pruned.size ? [] : [root.children[0]]"
    page.evaluate(f"crossed = new Set({branches}); show()")
    page.dispatch_event("#check", "click")


def test_only_a_correct_first_try_without_help_counts(practice):
    assert practice.inner_text("#score") == ""
    practice.dispatch_event("#hint", "click")
    answer(practice)
    assert practice.inner_text("#score") == "0 of 1 tree correct on the first try"
    practice.dispatch_event("#another", "click")
    practice.dispatch_event("#reveal", "click")
    answer(practice)
    practice.dispatch_event("#another", "click")
    answer(practice, right=False)
    answer(practice)
    score = practice.inner_text("#score")
    assert score == "0 of the last 3 trees correct on the first try"


def test_each_new_tree_has_the_shape_of_its_level(practice):
    for level, *kind in cases("levels of the practice page"):
        practice.select_option("#level", str(level))
        practice.dispatch_event("#another", "click")
        practice.dispatch_event("#another", "click")
        given = practice.evaluate("[settings.depth, settings.ties, settings.uneven]")
        assert given == kind, level
        assert practice.input_value("#level") == str(level), level


def test_three_correct_trees_in_a_row_offer_the_next_level(page):
    visit(page)
    assert page.input_value("#level") == "0"
    offer = page.locator("text=Go on to level 2")
    offered = []
    for right in (False, True, True, True):
        page.dispatch_event("#another", "click")
        answer(page, right)
        offered.append(offer.count())
    assert offered == [0, 0, 0, 1]
    offer.click()
    assert page.input_value("#level") == "1"
    assert page.evaluate("settings.depth") == 3


def test_a_click_prunes_or_restores_a_branch_unless_it_is_already_pruned(page):
    visit(page, "tree=[1,[0,[5,6]]]")
    cross(page, "C", "c1")
    assert pruned_names(page) == ["C"]
    assert "already gone with the branch to C" in says(page)
    cross(page, "C")
    node(page, "c2").click()
    assert pruned_names(page) == ["c2"]


def test_the_answer_and_the_step_of_a_cutoff_can_be_shown(practice):
    practice.click("#check")
    practice.click("text=Explain the first")
    practice.click("text=See this moment in the steps")
    assert "so c2 and c3 cannot matter" in says(practice)
    assert "mode=step" in practice.url
    visit(practice)
    practice.click("#reveal")
    assert pruned_names(practice) == ["c2", "c3"]
    assert visited_names(practice) == ["b1", "b2", "b3", "c1", "d1", "d2", "d3"]
    assert "chosen" in edge(practice, "B").get_attribute("class")
    assert bounds_at(practice, "A") == ["α 3", "β +∞"]


def test_an_answer_can_be_given_by_keyboard(practice):
    edge(practice, "B").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "Space", "ArrowRight", "Enter"):
        practice.keyboard.press(key)
    assert pruned_names(practice) == ["c2", "c3"]
    assert edge(practice, "c3").get_attribute("aria-checked") == "true"
    assert edge(practice, "c3").get_attribute("aria-label") == "Branch from C to c3, leaf 6"
    practice.keyboard.press("Tab")
    assert practice.evaluate("document.activeElement.id") == "check"
    practice.keyboard.press("Enter")
    assert says(practice).startswith("✓ Correct.")


# Steps


def test_stepping_back_shows_the_same_drawings_in_reverse(page):
    visit(page, "tree=[[3,12],[2,[4,5]]]&mode=step")
    forwards, backwards = page.evaluate(PICTURES)
    assert len(set(forwards)) == len(forwards) == 12
    assert is_off(page, "back") and backwards[::-1] == forwards


# Alpha and beta


def test_the_quiz_asks_for_alpha_and_beta_and_explains_them(page):
    visit(page, "mode=quiz")
    page.fill("#alpha", "three")
    page.keyboard.press("Enter")
    assert says(page).startswith("Write alpha as a number")
    node(page, "C").click()
    assert "At C (MIN) the search has just arrived" in page.inner_text("#question")
    page.fill("#alpha", "3")
    page.click("#highest")
    page.click("#quiz [type=submit]")
    assert says(page).startswith("✓ Correct. At C, before c1: alpha = 3, beta = +∞.")
    node(page, "D").click()
    node(page, "D").click()
    page.fill("#alpha", "-inf")
    page.fill("#beta", "2")
    page.keyboard.press("Enter")
    assert says(page).splitlines() == [
        "✗ At D, before d2: alpha is 3, not −∞; beta is 14, not 2.",
        "alpha = 3: set at A (MAX) when B returns 3.",
        "beta = 14: set at D (MIN) when d1 = 14.",
        "So at D: prune if <= 3.",
    ]


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


def test_typed_values_are_drawn(practice):
    practice.fill("#values", "[[1.5, -2], [10001, [0]]]")
    practice.click("text=Draw these values")
    names = practice.locator(".node .name").all_text_contents()
    assert names == ["A", "B", "b1", "b2", "C", "c1", "D", "d1"]
    values = practice.locator(".leaf .value").all_text_contents()
    assert values == ["1.5", "−2", "10001", "0"]


TOO_MANY = [str([1] * 129), "More than 128 leaves: write a smaller tree."]


def test_invalid_values_get_one_clear_line(practice):
    for text, line in (*slips("practice"), TOO_MANY):
        practice.fill("#values", text)
        practice.dispatch_event("text=Draw these values", "click")
        assert practice.inner_text("#ownnotice") == line, text
        assert practice.evaluate("root.children.length") == 3, text


@pytest.mark.parametrize("address, notice", cases("wrong addresses of the practice page"))
def test_the_page_says_what_is_wrong_in_an_address(page, address, notice):
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


@pytest.mark.parametrize("mode, address", cases("trees that fit a phone"))
def test_a_small_tree_fits_a_phone(open_page, mode, address):
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


@pytest.mark.parametrize("width, address", cases("addresses of the practice page"))
def test_nothing_in_the_drawing_overlaps(open_page, width, address):
    page = open_page(viewport={"width": width, "height": 740})
    visit(page, f"{address}&mode=step")
    page.dispatch_event("#last", "click")
    assert overlaps(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(open_page, scheme):
    page = visit(open_page(color_scheme=scheme))
    colours = page.evaluate(COLOURS)
    for pair in cases("texts and grounds of the practice page"):
        text, background = (luminance(colours[name]) for name in pair.split("-"))
        low, high = sorted([text, background])
        assert (high + 0.05) / (low + 0.05) >= 4.5, pair  # as WCAG defines the contrast


def luminance(colour):
    """Return the relative luminance of "#rrggbb", with the usual gamma of 2.2."""
    channels = bytes.fromhex(colour.strip().lstrip("#"))
    red, green, blue = ((channel / 255) ** 2.2 for channel in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
