"""The page that `python -m gametree FILE --page` writes: a student's own search."""

import pytest
from drawn import NO_CUTOFF, RIGHT_TO_LEFT, SKIPS_LAST, textbook
from helpers import REFERENCE_SOURCE, ROOT

from autograder.mistakes.variants import run_source
from gametree import load_tree, observe, parse_tree
from gametree.checking import why
from gametree.steppage import step_page
from pages.engine import count, overlaps, says

AIMA = load_tree(ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml")
CALM = "At C (MIN), after c1 = 2: alpha = 3, beta = 2, so c2 and c3 cannot matter; "
TWICE = NO_CUTOFF.replace(
    "values = [", "[c.evaluate() for c in node.children if c.is_terminal()]\n    values = ["
)


@pytest.fixture
def opened_on(page, tmp_path):
    """A function that opens the page of a source's search of a tree."""

    def opening(source, tree=AIMA, index=0):
        function = run_source(source).alphabeta
        trace = observe(function, "alphabeta", tree, tree.searches[index], 1000)
        path = tmp_path / "page.html"
        html = step_page(tree, trace, why(tree, trace), "alphabeta returned 3.")
        path.write_text(html, encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return opening


def steps(page):
    """Return [kind, node, what is said] of each step."""
    told = "({kind, node, ...step}) => [kind, node.name, narrate({kind, node, ...step})]"
    return page.evaluate(f"run.steps.map({told})")


def test_a_right_search_is_stepped_through_to_its_end(opened_on):
    page = opened_on(REFERENCE_SOURCE.decode())
    assert page.title() == "Textbook tree of AIMA, figure 5.2: your search"
    assert count(page) == "Step 1 of 27"
    page.keyboard.press("End")
    assert says(page) == "alphabeta returned 3."
    assert "parted" not in [kind for kind, *_ in steps(page)]


def test_a_search_without_cutoffs_stops_with_the_deciding_sentence_and_goes_on(opened_on):
    page = opened_on(NO_CUTOFF)
    kinds = [kind for kind, *_ in steps(page)]
    parted = kinds.index("parted")
    assert kinds[parted - 1] == "cutoff"
    page.evaluate(f"goTo({parted})")
    assert says(page) == f"{CALM}your search went on to c2."
    after = [(kind, node) for kind, node, _ in steps(page)[parted + 1 :]]
    assert after == [("own", n) for n in ("c2", "c3", "d1", "d2", "d3", "A")]
    page.keyboard.press("ArrowRight")
    assert says(page).splitlines() == [
        "Your search visits c2, whose value is 4.",
        "The right search never comes here.",
    ]
    page.keyboard.press("End")
    assert page.locator(".leaf.visited").count() == 9
    assert overlaps(page) == []


def test_what_is_left_out_is_marked(opened_on):
    page = opened_on(SKIPS_LAST)
    page.evaluate("goTo(run.steps.findIndex(({ kind }) => kind === 'parted'))")
    assert "b3 can matter; your search left it out." in says(page)
    assert page.locator(".leaf.missed .value").text_content() == "8"


def test_another_order_is_told(opened_on):
    page = opened_on(RIGHT_TO_LEFT)
    page.evaluate("goTo(run.steps.findIndex(({ kind }) => kind === 'parted'))")
    assert "so B comes before D; your search went to D first." in says(page)


def test_a_leaf_that_is_visited_again_parts_there(opened_on):
    page = opened_on(TWICE)
    parted = next(step for step in steps(page) if step[0] == "parted")
    assert "came to b1 again" in parted[2][0] or "b1" in parted[2][0]


def test_a_tree_that_publishes_nothing_is_searched_by_the_page_itself(opened_on):
    page = opened_on(NO_CUTOFF, textbook())
    parted = next(step for step in steps(page) if step[0] == "parted")
    said = "Here the searches part: yours visits c2, the right one visits d1."
    assert parted[2] == [said]


def test_a_window_and_a_depth_are_those_of_the_search(opened_on):
    tree = parse_tree(
        "root: min\ntree: [{value: 4, children: [1]}, {value: 9, children: [2, 3]}, 7]\n"
        "searches: [{depth: 1, alpha: 3, beta: 8}]\n",
        "window",
    )
    page = opened_on(REFERENCE_SOURCE.decode(), tree)
    assert "alphabeta(A, depth=1, alpha=3, beta=8, maximizing=False)" in page.inner_text(
        "#rule"
    )
    values = page.locator(".leaf .value").all_text_contents()
    assert values == ["4", "9", "7"]


def test_only_the_steps_are_there(opened_on):
    page = opened_on(REFERENCE_SOURCE.decode())
    for part in (".top", ".settings", "#quiz", "#check"):
        assert not page.locator(part).is_visible()
    assert page.locator("#forward").is_visible()


def test_a_title_that_holds_html_stays_text(opened_on):
    text = "title: <img src=x onerror='document.title=1'></script>\nroot: max\ntree: [1]\n"
    page = opened_on(REFERENCE_SOURCE.decode(), parse_tree(text, "t"))
    assert page.locator("img").count() == 0
    assert page.inner_text("h1").startswith("<img")
