"""The practice page: asking for alpha and beta at a node."""

from pages.practice import node, said, visit


def test_the_right_alpha_and_beta_are_accepted(page):
    visit(page, "mode=quiz")
    node(page, "C").click()
    assert "At C (MIN) the search has just arrived" in page.inner_text("#question")
    page.fill("#alpha", "3")
    page.click("#highest")
    page.click("#quiz [type=submit]")
    assert said(page).startswith("✓ Right. At C, before c1: alpha = 3, beta = +∞.")


def test_wrong_ones_are_answered_with_where_they_come_from(page):
    visit(page, "mode=quiz")
    node(page, "D").click()
    node(page, "D").click()
    page.fill("#alpha", "-inf")
    page.fill("#beta", "2")
    page.keyboard.press("Enter")
    assert said(page).splitlines() == [
        "✗ At D, before d2: alpha is 3, not −∞; beta is 14, not 2.",
        "alpha = 3: set at A (MAX) when B returns 3.",
        "beta = 14: set at D (MIN) when d1 = 14.",
        "So at D: prune if <= 3.",
    ]


def test_what_is_no_number_is_asked_for_again(page):
    visit(page, "mode=quiz")
    page.fill("#alpha", "three")
    page.keyboard.press("Enter")
    assert said(page).startswith("Write alpha as a number")


def test_another_question_is_another_question(page):
    visit(page, "mode=quiz")
    asked = set()
    for _ in range(8):
        asked.add(page.inner_text("#question"))
        page.click("#nextquestion")
    assert len(asked) > 3
