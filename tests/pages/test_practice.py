"""Pruning on the practice page, clicked through as a student would."""

from pages.practice import cross, crossed, edge, node, said, visit, visited


def test_crossing_off_exactly_the_pruned_branches_is_right(practice):
    cross(practice, "c2", "c3")
    practice.click("#check")
    assert said(practice) == (
        "✓ Right. 2 pruned branches: 7 of 9 leaves are visited, "
        "and the value of the tree is 3."
    )
    assert visited(practice) == ["b1", "b2", "b3", "c1", "d1", "d2", "d3"]


def test_pruning_too_little_is_explained_by_alpha_and_beta(practice):
    practice.click("#check")
    verdict, fact, reason = said(practice).splitlines()[:3]
    assert verdict == (
        "✗ 2 branches are wrong: the first in search order is the one from C to c2. "
        "The search never takes it, and you kept it."
    )
    assert fact == (
        "At C (MIN), after c1 = 2: alpha = 3, beta = 2, alpha >= beta, "
        "so c2 and c3 cannot matter."
    )
    assert reason.startswith("MAX is already sure of 3 or more at A")


def test_pruning_too_much_is_explained_by_alpha_and_beta(practice):
    cross(practice, "c2", "c3", "d2")
    practice.click("#check")
    verdict, fact, reason = said(practice).splitlines()[:3]
    assert verdict.startswith("✗ One branch is wrong: the one from D to d2.")
    assert fact == (
        "At D (MIN), after d1 = 14: alpha = 3, beta = 14, alpha < beta, "
        "so d2 can still matter."
    )
    assert reason == "The rule at D is: prune if <= 3. d1 = 14 is not enough."
    assert "wrong" in edge(practice, "d2").get_attribute("class")


def test_a_first_child_that_is_crossed_off_is_explained(practice):
    cross(practice, "B")
    practice.click("#check")
    assert "A first child is always searched" in said(practice)


def test_the_first_wrong_branch_in_search_order_is_the_one_explained(practice):
    cross(practice, "d3", "b2", "c3")
    practice.click("#check")
    assert "3 branches are wrong" in said(practice)
    assert "from B to b2" in said(practice)


def test_crossing_leaves_off_one_by_one_is_not_crossing_off_their_node(page):
    visit(page, "tree=[1,[0,[5,6]]]")
    cross(page, "c1", "c2")
    page.click("#check")
    assert "the one from B to C. The search never takes it" in said(page)
    cross(page, "C")
    page.click("#check")
    assert said(page).startswith("✓ Right.")


def test_a_branch_below_a_crossed_one_cannot_be_crossed_off_again(page):
    visit(page, "tree=[1,[0,[5,6]]]")
    cross(page, "C", "c1")
    assert crossed(page) == ["C"]
    assert "already gone with the branch to C" in said(page)


def test_clicking_again_brings_a_branch_back(practice):
    cross(practice, "c2")
    assert crossed(practice) == ["c2"]
    cross(practice, "c2")
    assert crossed(practice) == []


def test_the_node_itself_is_a_target_as_well(practice):
    node(practice, "c3").click()
    assert crossed(practice) == ["c3"]


def test_equal_values_are_pruned_and_the_page_says_why(page):
    visit(page, "tree=[1,[1,1]]")
    page.click("#check")
    assert "alpha = 1, beta = 1, alpha >= beta, so b2 cannot matter." in said(page)
    assert "Equal is enough" in said(page)


def test_strict_cutoffs_can_be_asked_for_in_the_address(page):
    visit(page, "tree=[1,[1,1]]&cutoff=strict")
    assert "strict" in page.inner_text("#rule")
    page.click("#check")
    assert said(page).startswith("✓ Right. Nothing is pruned here")
    cross(page, "b2")
    page.click("#check")
    assert "only alpha > beta prunes" in said(page)
    assert "cutoff=strict" in page.url


def test_the_answer_can_be_shown(practice):
    practice.click("#reveal")
    assert crossed(practice) == ["c2", "c3"]
    assert "chosen" in edge(practice, "B").get_attribute("class")


def test_a_wrong_branch_leads_to_its_moment_in_the_steps(practice):
    practice.click("#check")
    practice.click("text=See this moment in the steps")
    assert "so c2 and c3 cannot matter" in said(practice)
    assert "mode=step" in practice.url


def test_everything_can_be_done_from_the_keyboard(practice):
    edge(practice, "B").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "Space", "ArrowRight", "Enter"):
        practice.keyboard.press(key)
    assert crossed(practice) == ["c2", "c3"]
    assert edge(practice, "c3").get_attribute("aria-checked") == "true"
    assert edge(practice, "c3").get_attribute("aria-label") == "Branch from C to c3, leaf 6"
    practice.keyboard.press("Tab")
    assert practice.evaluate("document.activeElement.id") == "check"
    practice.keyboard.press("Enter")
    assert said(practice).startswith("✓ Right.")


def test_the_keyboard_sees_where_it_is(practice):
    practice.keyboard.press("Tab")
    practice.keyboard.press("Tab")
    practice.keyboard.press("Tab")
    for key in ("Space", "ArrowDown"):
        practice.keyboard.press(key)
    branch = edge(practice, "b1")
    opacity = "e => Number(getComputedStyle(e).opacity)"
    assert branch.locator(".halo").evaluate(opacity) > 0.3
    assert branch.evaluate(opacity) == 1
