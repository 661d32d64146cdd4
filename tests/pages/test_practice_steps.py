"""The practice page: stepping through a search."""

import re

from pages.practice import PAGE, crossed, edge, node, said, visit, visited


def test_nothing_moves_on_its_own():
    assert not re.search(r"setInterval|setTimeout|requestAnimationFrame", PAGE.read_text())


def test_steps_go_forwards_and_backwards_to_the_same_pictures(page):
    visit(page, "tree=[[3,12],[2,[4,5]]]&mode=step")
    picture = "document.querySelector('#scroll svg').outerHTML"
    forwards = [page.evaluate(picture)]
    while page.get_attribute("#forward", "aria-disabled") == "false":
        page.click("#forward")
        forwards.append(page.evaluate(picture))
    assert len(set(forwards)) == len(forwards) == 12
    backwards = [page.evaluate(picture)]
    while page.get_attribute("#back", "aria-disabled") == "false":
        page.click("#back")
        backwards.append(page.evaluate(picture))
    assert backwards[::-1] == forwards


def test_a_step_shows_alpha_and_beta_and_the_condition_in_words(page):
    visit(page, "mode=step")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert said(page).splitlines() == [
        "Enter C (MIN) with alpha = 3, beta = +∞.",
        "The condition: prune if <= 3.",
    ]
    assert node(page, "C").locator(".bound").all_text_contents() == ["α 3", "β +∞"]
    assert node(page, "C").locator(".pill").text_content() == "prune if <= 3"
    assert page.inner_text("#open").split("\n")[-1].split("\t") == [
        "C (MIN)", "3", "+∞", "–", "prune if <= 3",
    ]  # fmt: skip
    assert visited(page) == ["b1", "b2", "b3"]


def test_the_last_step_shows_what_was_pruned_and_chosen(page):
    visit(page, "mode=step")
    page.click("#last")
    assert "the value of the tree is 3" in said(page)
    assert crossed(page) == ["c2", "c3"]
    assert node(page, "C").locator(".pill").text_content() == "<= 2"
    assert "chosen" in edge(page, "B").get_attribute("class")
