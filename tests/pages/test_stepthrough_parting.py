"""The step-through page of a submission: it stops where its run and the right one part."""

import pytest
from drawn import NO_CUTOFF, RIGHT_TO_LEFT, SKIPS_LAST, textbook
from helpers import REFERENCE_SOURCE

from pages.stepping import count, says, step_page


@pytest.fixture
def opened_on(page, tmp_path):
    """A function that opens the page of a tree, with a submission's source or without."""

    def opening(tree, *arguments, page=page, **options):
        return step_page(page, tmp_path / f"{tree.name}.html", tree, *arguments, **options)

    return opening


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
