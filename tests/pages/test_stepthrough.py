"""The step-through page in a real browser: every button and key, and where runs part."""

import pytest
from drawn import NO_CUTOFF, RIGHT_TO_LEFT, SKIPS_LAST, textbook, verdict_of
from helpers import REFERENCE_SOURCE, tasks_of, tree_of

from autograder.showing.stepthrough import step_html

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

    def opening(tree, source=None, page=page, convention="equality"):
        task = tasks_of(tree, functions=("alphabeta",))[0]
        verdict = None if source is None else verdict_of(source, tree)
        path = tmp_path / f"{tree.name}.html"
        path.write_text(step_html(task, convention, verdict), encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return opening


def count(page):
    return page.locator("#count").inner_text()


def says(page):
    return page.locator("#says").inner_text()


@pytest.fixture
def timed(open_page):
    """A page of its own whose clock the test moves."""
    page = open_page(locale="en-GB")
    page.clock.install()
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


def test_stops_where_a_search_without_cutoffs_parts(opened_on):
    page = opened_on(textbook(), NO_CUTOFF)
    page.keyboard.press("End")
    assert count(page) == "Step 15 of 15"
    assert "so c2 and c3 cannot matter; your search went on to c2." in says(page)
    assert (
        page.locator(".figure").first.locator(".leaf.needless .value").text_content() == "4"
    )
    assert page.locator("#forward").is_disabled()
    page.click("#goon")
    assert count(page) == "Step 16 of 27"
    page.keyboard.press("End")
    assert "The value of the tree is 3." in says(page)


def test_stops_before_a_leaf_that_a_search_leaves_out(opened_on):
    page = opened_on(textbook(), SKIPS_LAST)
    page.keyboard.press("End")
    assert "b3 can matter; your search left it out." in says(page)
    assert (
        page.locator(".figure").first.locator(".leaf.missed .value").text_content() == "8"
    )


def test_shows_both_ways_when_the_order_is_another(opened_on):
    page = opened_on(textbook(), RIGHT_TO_LEFT)
    page.keyboard.press("End")
    assert count(page) == "Step 2 of 2"
    assert page.locator(".figure").first.locator(".node.missed").count() == 1
    assert page.locator(".figure").first.locator(".node.needless").count() == 1


def test_a_right_search_goes_to_the_end_and_is_told_so(opened_on):
    page = opened_on(textbook(), REFERENCE_SOURCE.decode())
    assert "Your search does the same" in page.locator("header").inner_text()
    page.keyboard.press("End")
    assert count(page) == "Step 26 of 26"
    assert "right" in page.locator("section").inner_text()


def test_an_exception_that_holds_html_stays_text(opened_on):
    text = "</script><img src=x onerror='document.title=1'>"
    page = opened_on(textbook(), f"def alphabeta(*_):\n    raise ValueError({text!r})\n")
    page.keyboard.press("End")
    assert text in says(page)
    assert page.locator("img").count() == 0 and page.title() == "textbook"


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
