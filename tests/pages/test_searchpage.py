"""`--page`, `make show` and `make explain` write a page of the steps of one search."""

from statistics import fmean

import pytest
from drawn import NO_CUTOFF, RIGHT_TO_LEFT, SKIPS_LAST, textbook, verdict_of
from helpers import CORRECT, ROOT, cases, copy_with, tasks_of, tree_of

from autograder.workbench.show import step_html
from gametree import load_tree, parse_tree
from gametree.__main__ import main
from gametree.functions import Player
from gametree.support.correct import CorrectSearch
from gametree.support.judging import Task
from gametree.support.searchpage import search_page
from pages.engine import overlaps, says, search_as_data, search_on_page, step_of, walk

AIMA_FILE = ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml"
AIMA = load_tree(AIMA_FILE)
DEPTH = "root: min\ntree: [{value: 1, children: [2, 3]}, 4]\nsearches: [{depth: 1}]\n"
LARGE = "root: max\nrandom: {branching: 2, depth: 10, values: [0, 99], seed: 5}\n"
TOLD = """run.steps.map(step =>
  `${step.kind} ${step.node.name}: ${narrate(step).join(" ")}`)"""
HTML = "</script><img src=x onerror='document.title=1'>"


@pytest.fixture
def open_html(page, tmp_path):
    """Return a function: HTML -> the browser's page that shows it."""

    def show(html):
        path = tmp_path / "page.html"
        path.write_text(html)
        page.goto(path.as_uri())
        return page

    return show


@pytest.fixture
def open_search(open_html):
    """Return a function: tree and source, if any -> its page by `make show`, opened."""

    def show(tree, source=None, function="alphabeta"):
        task = tasks_of(tree, functions=(function,))[0]
        verdict = source and verdict_of(source, tree, "", function)
        return open_html(step_html(task, verdict))

    return show


def go_to_divergence(page):
    """Go to the step at which a search diverges from the correct one."""
    page.evaluate("goTo(run.steps.findIndex(({ kind }) => kind === 'parted'))")


@cases("steps")
def test_the_steps_are_those_of_the_correct_search(text, convention, sentence, open_html):
    tree = parse_tree(text, "tree")
    search = tree.searches[0]
    is_strict = convention == "strict"
    correct = CorrectSearch(tree, "alphabeta", search, is_strict)
    task = Task(tree, "alphabeta", search, correct.trace(), (), is_strict)
    page = open_html(search_page(task))
    assert search_on_page(page) == search_as_data(correct)
    assert sentence in " ".join(page.evaluate(TOLD))


def test_a_node_of_another_opponent_has_the_value_of_its_record(open_html):
    (task,) = tasks_of(tree_of("[[3, 12], 5]"), functions=("minimax",))
    chance = Player("CHANCE", fmean, "average")
    search = task.search._replace(opponent=chance)
    page = open_html(search_page(copy_with(task, search=search)))
    told = " ".join(page.evaluate(TOLD))
    assert "B (CHANCE) returns 7.5, the average of its children's values." in told
    assert page.evaluate("run.value") == 7.5


@pytest.mark.parametrize("function", ["minimax", "best_move"])
def test_steps_of_minimax_have_neither_window_nor_cutoff(open_search, function):
    tree = parse_tree(DEPTH, "tree")
    page = open_search(tree, function=function)
    correct = CorrectSearch(tree, function, tree.searches[0])
    assert search_on_page(page) == search_as_data(correct)
    page.keyboard.press("End")
    assert "The value of the tree is 1." in says(page)
    assert ("leftmost child" in says(page)) is (function == "best_move")
    assert page.locator(".bound:visible").count() == 0
    assert page.locator("#open thead th:visible").count() == 2


@cases("walks through the steps")
def test_a_walk_goes_as_the_yaml_file_says(steps, open_search):
    walk(open_search(textbook()), steps)


def test_a_long_name_overlaps_nothing(open_search):
    page = open_search(tree_of("{long-name: {leaf-of-it: 1, b: [2, 3]}, c: 4}"))
    page.keyboard.press("End")
    assert overlaps(page) == []


def test_part_of_a_large_tree_is_drawn_and_every_step_is_shown(open_search):
    page = open_search(parse_tree(LARGE, "large"))
    assert page.locator(".node").count() == 400
    page.evaluate("goTo(run.steps.findIndex(step => !drawing.nodes.has(step.node)))")
    assert page.locator(".node.current").count() == 1
    assert page.locator("#open tbody tr").count() > 5


def test_a_correct_search_is_shown_to_its_end(
    page, open_search, run_program, tmp_path, monkeypatch
):
    (tmp_path / "search.py").write_text(CORRECT)
    monkeypatch.chdir(tmp_path)
    run_program(main, AIMA_FILE, "--page")
    page.goto((tmp_path / "03-aima-figure-5-2-1.html").as_uri())
    assert page.title() == "Textbook tree of AIMA, figure 5.2: your search"
    assert step_of(page) == "Step 1 of 27"
    call = "alphabeta(A, depth=2, alpha=-infinity, beta=infinity, maximizing=True)"
    assert page.inner_text("#rule") == call
    page.keyboard.press("End")
    assert says(page) == "alphabeta returned 3, with 7 leaves and 11 nodes visited."
    page = open_search(AIMA, CORRECT)
    page.keyboard.press("End")
    assert step_of(page) == "Step 27 of 27" and "Your search does the same" in says(page)


MINIMAX = CORRECT.replace("in node.children:", "in node.children[:-1]:")
WRONG_MOVE = """
def best_move(node, depth, maximizing):
    [leaf.evaluate() for c in node.children for leaf in c.children]
    return node.children[1]
"""
SEARCHES = {  # file of golden/searchpages -> a program and its function that is shown
    "no-cutoff": (NO_CUTOFF, "alphabeta"),
    "skips-last": (SKIPS_LAST, "alphabeta"),
    "right-to-left": (RIGHT_TO_LEFT, "alphabeta"),
    "minimax-skips-last": (MINIMAX, "minimax"),
    "wrong-move": (WRONG_MOVE, "best_move"),
}
MARKS = """[...document.querySelectorAll(".node, .edge")].map(group =>
  `${group.dataset.node} is ${group.getAttribute("class")}`)"""


@pytest.mark.parametrize("name", SEARCHES)
def test_the_steps_and_the_marks_at_the_divergence_equal_the_stored_file(
    open_search, name, check_golden
):
    source, function = SEARCHES[name]
    page = open_search(AIMA, source, function=function)
    go_to_divergence(page)
    lines = [*page.evaluate(TOLD), *page.evaluate(MARKS)]
    check_golden("\n".join(lines), f"searchpages/{name}.txt")
    page.keyboard.press("End")
    assert overlaps(page) == []


def test_without_the_key_sentence_the_page_says_where_the_searches_diverge(open_html):
    tree = textbook()
    verdict = verdict_of(NO_CUTOFF, tree)
    page = open_html(search_page(verdict.task, verdict.trace))
    go_to_divergence(page)
    sentence = "Here the searches part: yours visits c2, the right one visits d1."
    assert says(page) == sentence


def test_html_in_a_title_or_an_error_stays_text(open_search):
    page = open_search(parse_tree(f"title: {HTML}\nroot: max\ntree: [1]\n", "t"), CORRECT)
    assert page.locator("img").count() == 0 and page.inner_text("h1") == HTML
    source = f"def alphabeta(*_):\n    raise ValueError({HTML!r})\n"
    page = open_search(textbook(), source)
    go_to_divergence(page)
    assert HTML in says(page)
    assert page.locator("img").count() == 0 and page.title() == "textbook: your search"
