"""The pages of `make show`: every button and key, the words, where a submission parts."""

import pytest
from drawn import NO_CUTOFF, RIGHT_TO_LEFT, SKIPS_LAST, textbook, verdict_of
from helpers import REFERENCE_SOURCE, tasks_of, tree_of

from autograder.judging.divergence import replay
from autograder.showing.stepthrough import step_html
from gametree import parse_tree
from pages.engine import PHONE, STEPS, count, off, overlaps, says, steps_as_data

DEEP = tree_of([[[[2, 3], [5, 9]], [[0, -1], [7, 5]]], [[[1, 4], 3], 12345.5]], name="deep")
WINDOW = "root: max\ntree: [[3, 12], [2, 4]]\nsearches: [{alpha: 2, beta: 3}]\n"
BOUND = "root: max\ntree: [5, 9]\nsearches: [{beta: 3}]\n"
DEPTH = "root: min\ntree: [{value: 1, children: [2, 3]}, 4]\nsearches: [{depth: 1}]\n"
WIDE = (
    "root: max\nrandom: {branching: 30, depth: 3, values: [0, 99], seed: 5, order: best}\n"
)
LONG = (
    "root: max\nrandom: {branching: 2, depth: 12, values: [0, 9], seed: 3, order: random}\n"
)


@pytest.fixture
def opened_on(page, tmp_path):
    """A function that opens the page of a tree, with a submission's source or without."""

    def opening(tree, source=None, page=page, convention="equality", function="alphabeta"):
        (task,) = tasks_of(tree, functions=(function,))
        verdict = None if source is None else verdict_of(source, tree, "", function)
        path = tmp_path / f"{tree.name}.html"
        path.write_text(step_html(task, convention, verdict), encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return opening


@pytest.fixture
def words(opened_on):
    """A function that returns what is said of each step of a tree."""

    def read(tree, **options):
        page = opened_on(tree, **options)
        return page.evaluate("run.steps.map(step => narrate(step).join(' '))")

    return read


@pytest.fixture
def timed(open_page):
    """A page of its own whose clock stands still until the test moves it."""
    page = open_page(locale="en-GB")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    return page


class TestTheSteps:
    @pytest.mark.parametrize("convention", ["equality", "strict"])
    @pytest.mark.parametrize(
        "text",
        [WINDOW, BOUND, DEPTH, WIDE, LONG],
        ids=["window", "bound", "depth", "wide", "long"],
    )
    def test_are_those_of_the_right_search(self, opened_on, text, convention):
        tree = parse_tree(text, "tree")
        steps = opened_on(tree, convention=convention).evaluate(f"({STEPS})(run.steps)")
        expected = replay(tree, tree.searches[0], convention)[:3000]
        assert steps == steps_as_data(tree, expected)

    @pytest.mark.parametrize("function", ["minimax", "best_move"])
    def test_of_minimax_have_neither_window_nor_cutoff(self, opened_on, function):
        tree = parse_tree(DEPTH, "tree")
        page = opened_on(tree, function=function)
        steps = page.evaluate(f"({STEPS})(run.steps)")
        assert steps == steps_as_data(tree, replay(tree, tree.searches[0], None))
        page.keyboard.press("End")
        assert "The value of the tree is 1." in says(page)
        assert ("leftmost child" in says(page)) is (function == "best_move")
        assert page.locator(".bound:visible").count() == 0
        assert page.locator("#open thead th:visible").count() == 2

    def test_begin_at_the_first_and_do_not_play(self, opened_on, timed):
        page = opened_on(textbook(), page=timed)
        assert count(page) == "Step 1 of 26"
        page.clock.run_for(10_000)
        assert count(page) == "Step 1 of 26"
        assert off(page, "back") and off(page, "first")

    def test_play_until_they_are_paused(self, opened_on, timed):
        page = opened_on(textbook(), page=timed)
        page.click("#play")
        page.clock.run_for(3700)
        assert count(page) == "Step 4 of 26"
        page.click("#play")
        page.clock.run_for(5000)
        assert count(page) == "Step 4 of 26"

    def test_play_no_further_once_they_are_moved_by_hand_or_at_the_end(
        self, opened_on, timed
    ):
        page = opened_on(tree_of([1, 2], name="two"), page=timed)
        page.click("#play")
        page.clock.run_for(1300)
        page.click("#forward")
        assert page.get_attribute("#play", "aria-pressed") == "false"
        page.clock.run_for(5000)
        assert count(page) == "Step 3 of 6"
        page.click("#play")
        page.clock.run_for(5000)
        assert count(page) == "Step 6 of 6" and off(page, "play")
        assert page.inner_text("#play") == "Play"

    def test_go_by_buttons_and_by_keys(self, opened_on):
        page = opened_on(textbook())
        page.click("#forward")
        page.keyboard.press("ArrowRight")
        assert count(page) == "Step 3 of 26" and "Visit b1: its value is 3." in says(page)
        page.click("#back")
        page.keyboard.press("ArrowLeft")
        assert count(page) == "Step 1 of 26"
        page.keyboard.press("End")
        assert count(page) == "Step 26 of 26"
        assert "The value of the tree is 3." in says(page)
        page.keyboard.press("Home")
        assert count(page) == "Step 1 of 26"
        page.click("#last")
        assert off(page, "forward")
        page.click("#first")
        assert count(page) == "Step 1 of 26"

    def test_go_anywhere_by_the_slider_and_once_per_key(self, opened_on):
        page = opened_on(textbook())
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        assert count(page) == "Step 2 of 26"
        page.locator("#slider").fill("13")
        assert count(page) == "Step 14 of 26"

    def test_of_a_tree_of_one_leaf_are_one(self, opened_on):
        page = opened_on(tree_of(7, name="leaf"))
        assert count(page) == "Step 1 of 1" and "Visit A: its value is 7." in says(page)


class TestThePicture:
    def test_a_cutoff_crosses_off_branches_and_says_why(self, opened_on):
        page = opened_on(textbook())
        page.locator("#slider").fill("13")
        assert "At C (MIN), after c1 = 2: alpha = 3, beta = 2" in says(page)
        assert "so c2 and c3 cannot matter" in says(page)
        crossed = page.locator(".edge[data-edge].crossed .slash:visible")
        visited = page.locator(".leaf[data-node].visited")
        assert (crossed.count(), visited.count()) == (2, 4)
        page.click("#first")
        assert (crossed.count(), visited.count()) == (0, 0)

    def test_alpha_beta_and_the_condition_stand_at_the_node(self, opened_on):
        page = opened_on(textbook())
        page.locator("#slider").fill("10")
        at_c = page.locator(".node.current")
        assert at_c.locator(".low").text_content() == "α 3"
        assert at_c.locator(".high").text_content() == "β +∞"
        assert at_c.locator(".note").text_content() == "prune if <= 3"
        assert page.locator("#open tbody tr").count() == 2
        assert "prune if <= 3" in page.locator("#open tbody").inner_text()

    def test_the_chosen_child_is_thick_at_the_end(self, opened_on):
        page = opened_on(textbook())
        page.keyboard.press("End")
        chosen = page.locator(".edge.chosen[data-edge]")
        assert chosen.evaluate_all("all => all.map(e => e.dataset.edge)") == ["1", "2"]
        width = "e => getComputedStyle(e.querySelector('path')).strokeWidth"
        assert chosen.first.evaluate(width) == "4.5px"

    @pytest.mark.parametrize("step", [9, 22, 40])
    def test_no_label_covers_another(self, opened_on, step):
        page = opened_on(DEEP)
        page.locator("#slider").fill(str(step))
        assert overlaps(page) == []

    def test_on_a_phone_the_tree_scrolls_and_the_step_stays_in_view(
        self, opened_on, open_page
    ):
        page = opened_on(DEEP, page=open_page(viewport=PHONE))
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        box = page.locator(".node.current .shape").bounding_box()
        assert 0 <= box["x"] <= 360 - box["width"]

    def test_a_step_below_what_is_drawn_is_shown_at_the_nearest_node(self, opened_on):
        page = opened_on(parse_tree(LONG, "long"))
        page.evaluate("goTo(run.steps.findIndex(step => !drawing.nodes.has(step.node)))")
        assert page.locator(".node.current").count() == 1
        assert page.locator("#open tbody tr").count() > 5


class TestTheWords:
    def test_a_cutoff_names_the_window_what_it_spares_and_why(self, words):
        assert (
            "At C (MIN), after c1 = 2: alpha = 3, beta = 2, alpha >= beta, so c2 and c3 "
            "cannot matter. MAX is already sure of 3 or more at A, and MIN can get 2 or "
            "less at C: MAX gains nothing by coming here."
        ) in words(textbook())

    def test_a_tie_says_that_equal_is_enough(self, words):
        spoken = " ".join(words(tree_of([1, [1, 1]])))
        assert "Equal is enough: the cutoff is at alpha >= beta." in spoken

    def test_a_strict_course_cuts_off_only_past_the_bound(self, words, opened_on):
        spoken = " ".join(words(tree_of([1, [1, 1]]), convention="strict"))
        assert "cannot matter" not in spoken
        assert "alpha = 1, beta = 1: alpha = beta." in spoken
        page = opened_on(textbook(), convention="strict")
        page.locator("#slider").fill("10")
        assert page.locator(".node.current .note").text_content() == "prune if < 3"

    def test_a_deep_cutoff_names_the_ancestor_that_set_the_bound(self, words):
        lines = words(tree_of([10, [20, [1, [4, 2]]]]))
        cutoff = next(line for line in lines if "d2 cannot matter" in line)
        assert "MAX is already sure of 10 or more at A" in cutoff

    def test_a_bound_of_the_call_is_told_as_such(self, words):
        lines = words(parse_tree(WINDOW, "window"))
        assert "beta = 3 came with the call" in " ".join(lines)

    def test_many_children_are_counted_rather_than_named(self, words):
        lines = " ".join(words(parse_tree(WIDE, "wide")))
        assert "and 21 more cannot matter" in lines

    def test_end_with_what_is_proven_of_the_tree(self, words):
        assert words(parse_tree(BOUND, "bound"))[-1] == (
            "The search is done and returns 5. The value of the tree is >= 5."
        )


class TestASubmission:
    def test_stops_where_a_search_without_cutoffs_parts(self, opened_on):
        page = opened_on(textbook(), NO_CUTOFF)
        page.keyboard.press("End")
        assert count(page) == "Step 15 of 15"
        assert "so c2 and c3 cannot matter; your search went on to c2." in says(page)
        needless = page.locator(".figure").first.locator(".leaf.needless")
        assert needless.locator(".value").text_content() == "4"
        assert needless.locator(".badge").text_content() == "!"
        assert off(page, "forward")
        page.click("#goon")
        assert count(page) == "Step 16 of 27"
        page.keyboard.press("End")
        assert "The value of the tree is 3." in says(page)

    def test_stops_before_a_leaf_that_a_search_leaves_out(self, opened_on):
        page = opened_on(textbook(), SKIPS_LAST)
        page.keyboard.press("End")
        assert "b3 can matter; your search left it out." in says(page)
        missed = page.locator(".figure").first.locator(".leaf.missed")
        assert missed.locator(".value").text_content() == "8"

    def test_shows_both_ways_when_the_order_is_another(self, opened_on):
        page = opened_on(textbook(), RIGHT_TO_LEFT)
        page.keyboard.press("End")
        assert count(page) == "Step 2 of 2"
        figure = page.locator(".figure").first
        assert figure.locator(".node.missed").count() == 1
        assert figure.locator(".node.needless").count() == 1

    def test_a_minimax_stops_at_the_child_that_it_leaves_out(self, opened_on):
        source = REFERENCE_SOURCE.decode()
        source = source.replace("in node.children:", "in node.children[:-1]:")
        page = opened_on(textbook(), source, function="minimax")
        page.keyboard.press("End")
        assert "your search left out b3." in says(page)
        assert page.locator(".figure").first.locator(".leaf.missed").count() == 1

    def test_a_wrong_move_is_marked_where_all_moves_are_known(self, opened_on):
        source = "def best_move(node, depth, maximizing):\n"
        source += "    [leaf.evaluate() for c in node.children for leaf in c.children]\n"
        page = opened_on(
            textbook(), source + "    return node.children[1]\n", function="best_move"
        )
        page.keyboard.press("End")
        assert "your best_move chose C." in says(page)
        figure = page.locator(".figure").first
        assert figure.locator(".node.needless").count() == 1
        assert figure.locator(".edge.chosen[data-edge]").count() == 2

    def test_a_right_search_goes_to_the_end_and_is_told_so(self, opened_on):
        page = opened_on(textbook(), REFERENCE_SOURCE.decode())
        assert "Your search does the same" in page.locator("header").inner_text()
        page.keyboard.press("End")
        assert count(page) == "Step 26 of 26"
        assert "right" in page.locator("section").inner_text()

    def test_an_exception_that_holds_html_stays_text(self, opened_on):
        text = "</script><img src=x onerror='document.title=1'>"
        source = f"def alphabeta(*_):\n    raise ValueError({text!r})\n"
        page = opened_on(textbook(), source)
        page.keyboard.press("End")
        assert text in says(page)
        assert page.locator("img").count() == 0 and page.title() == "textbook"
