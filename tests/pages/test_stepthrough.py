"""The step-through page in a real browser: every button and key, and what it shows."""

import pytest
from drawn import textbook
from helpers import tree_of

from pages.stepping import count, says, step_page

PHONE = {"width": 360, "height": 740}
DEEP = tree_of([[[[2, 3], [5, 9]], [[0, -1], [7, 5]]], [[[1, 4], 3], 12345.5]], name="deep")
OVERLAPS = """() => {
  const drawn = [...document.querySelectorAll(
    '.figure .shape, .figure .bound, .note rect, .leaf > .name, .ply')]
    .map(e => [e, e.getBoundingClientRect()]).filter(([, b]) => b.width);
  const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const of = e => `${e.closest('[data-node]')?.dataset.node}:${e.textContent || e.tagName}`;
  return drawn.flatMap(([e, a], i) => drawn.slice(i + 1)
    .filter(([, b]) => touch(a, b)).map(([f]) => `${of(e)} over ${of(f)}`));
}"""


@pytest.fixture
def opened_on(page, tmp_path):
    """A function that opens the page of a tree, with a submission's source or without."""

    def opening(tree, *arguments, page=page, **options):
        return step_page(page, tmp_path / f"{tree.name}.html", tree, *arguments, **options)

    return opening


@pytest.fixture
def timed(open_page):
    """A page of its own whose clock stands still until the test moves it."""
    page = open_page(locale="en-GB")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    return page


def test_begins_at_the_first_step_and_does_not_play(opened_on, timed):
    page = opened_on(textbook(), page=timed)
    assert count(page) == "Step 1 of 26"
    page.clock.run_for(10_000)
    assert count(page) == "Step 1 of 26"
    assert page.locator("#back").is_disabled() and page.locator("#first").is_disabled()


def test_forward_back_start_end_and_the_keys_move_by_steps(opened_on):
    page = opened_on(textbook())
    page.click("#forward")
    page.keyboard.press("ArrowRight")
    assert count(page) == "Step 3 of 26" and "Visit b1: its value is 3." in says(page)
    page.click("#back")
    page.keyboard.press("ArrowLeft")
    assert count(page) == "Step 1 of 26"
    page.keyboard.press("End")
    assert count(page) == "Step 26 of 26" and "The value of the tree is 3." in says(page)
    page.keyboard.press("Home")
    assert count(page) == "Step 1 of 26"
    page.click("#last")
    assert page.locator("#forward").is_disabled()
    page.click("#first")
    assert count(page) == "Step 1 of 26"


def test_the_slider_goes_to_any_step_once_per_key(opened_on):
    page = opened_on(textbook())
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")
    assert count(page) == "Step 2 of 26"
    page.locator("#slider").fill("13")
    assert count(page) == "Step 14 of 26"


def test_a_cutoff_crosses_off_branches_and_says_why(opened_on):
    page = opened_on(textbook())
    page.locator("#slider").fill("13")
    assert "At C (MIN), after c1 = 2: alpha = 3, beta = 2" in says(page)
    assert "so c2 and c3 cannot matter" in says(page)
    crossed = page.locator(".edge[data-edge].crossed .slash:visible")
    assert crossed.count() == 2
    assert page.locator(".leaf[data-node].visited").count() == 4
    page.click("#first")
    assert crossed.count() == 0 and page.locator(".leaf[data-node].visited").count() == 0


def test_alpha_beta_and_the_condition_stand_at_the_node(opened_on):
    page = opened_on(textbook())
    page.locator("#slider").fill("10")
    at_c = page.locator(".node.current")
    assert at_c.locator(".low").text_content() == "α 3"
    assert at_c.locator(".high").text_content() == "β +∞"
    assert at_c.locator(".note").text_content() == "prune if <= 3"
    assert page.locator("#open tbody tr").count() == 2
    assert "prune if <= 3" in page.locator("#open tbody").inner_text()


def test_the_chosen_child_is_thick_at_the_end(opened_on):
    page = opened_on(textbook())
    page.keyboard.press("End")
    chosen = page.locator(".edge.chosen[data-edge]")
    assert [chosen.nth(n).get_attribute("data-edge") for n in range(chosen.count())] == [
        "1",
        "2",
    ]
    width = "e => getComputedStyle(e.querySelector('path')).strokeWidth"
    assert chosen.first.evaluate(width) == "4.5px"


def test_play_runs_until_it_is_paused(opened_on, timed):
    page = opened_on(textbook(), page=timed)
    page.click("#play")
    page.clock.run_for(3700)
    assert count(page) == "Step 4 of 26"
    page.click("#play")
    page.clock.run_for(5000)
    assert count(page) == "Step 4 of 26"


@pytest.mark.parametrize("step", [9, 22, 40])
def test_no_label_covers_another(opened_on, step):
    page = opened_on(DEEP)
    page.locator("#slider").fill(str(step))
    assert page.evaluate(OVERLAPS) == []


def test_on_a_phone_the_tree_scrolls_and_the_step_stays_in_view(opened_on, open_page):
    page = opened_on(DEEP, page=open_page(viewport=PHONE))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    box = page.locator(".node.current .shape").bounding_box()
    assert 0 <= box["x"] <= 360 - box["width"]


def test_a_strict_course_reads_strict_conditions(opened_on):
    page = opened_on(textbook(), convention="strict")
    page.locator("#slider").fill("10")
    assert page.locator(".node.current .note").text_content() == "prune if < 3"


def test_a_tree_of_one_leaf_is_one_step(opened_on):
    page = opened_on(tree_of(7, name="leaf"))
    assert count(page) == "Step 1 of 1" and "Visit A: its value is 7." in says(page)
