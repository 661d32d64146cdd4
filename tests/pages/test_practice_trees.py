"""The practice page: seeds, settings, own values and the address that holds them."""

import pytest

from pages.practice import visit

PINNED = "[[[0], [1, -1]], [[2], -1]]"

LEAVES = """() => {
  const leaves = inOrder(root).filter(node => !node.children.length);
  const different = key => new Set(leaves.map(leaf => leaf[key])).size;
  return [leaves.length, different("value"), different("level")];
}"""


def test_an_address_draws_the_same_tree_for_good(page):
    visit(page, "seed=week3&depth=3&branching=2&root=min&ties=on&uneven=on&mode=step")
    values = page.input_value("#values")
    assert values == PINNED
    assert page.is_checked("[name=mode][value=step]")
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    assert page.input_value("#values") == values
    assert page.evaluate("settings.root") == "min"


def test_a_new_tree_is_another_tree_whose_address_can_be_shared(practice):
    practice.click("#another")
    assert practice.input_value("#values") != "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
    values, shared = practice.input_value("#values"), practice.url
    practice.goto("about:blank")
    practice.goto(shared)
    assert practice.input_value("#values") == values


def test_a_changed_address_is_drawn_without_reloading(practice):
    practice.evaluate("location.hash = 'tree=[1,[2,3]]'")
    practice.wait_for_function("root.children.length === 2")
    assert practice.input_value("#values") == "[1, [2, 3]]"


def test_settings_make_the_tree_they_name(page):
    visit(page)
    page.select_option("[name=depth]", "4")
    page.select_option("[name=branching]", "3")
    page.select_option("[name=root]", "min")
    assert page.evaluate(LEAVES) == [81, 81, 1]
    assert page.evaluate("root.max") is False
    page.check("[name=ties]")
    leaves, values, _ = page.evaluate(LEAVES)
    assert leaves == 81 and values < 81
    page.check("[name=uneven]")
    _, _, levels = page.evaluate(LEAVES)
    assert levels > 1


def test_a_tree_too_large_to_draw_is_made_smaller_and_said_so(page):
    visit(page, "seed=1&depth=6&branching=5")
    assert "makes 15625 leaves" in page.inner_text("#notice")
    assert "depth=3" in page.url


def test_own_values_are_drawn(practice):
    practice.fill("#values", "[[1.5, -2], [10001, [0]]]")
    practice.click("text=Draw these values")
    names = practice.locator(".node .name").all_text_contents()
    assert names == ["A", "B", "b1", "b2", "C", "c1", "D", "d1"]
    values = practice.locator(".leaf .value").all_text_contents()
    assert values == ["1.5", "−2", "10001", "0"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "Begin with a list, such as [[3, 12, 8], [2, 4, 6]]."),
        ("7", "Begin with a list, such as [[3, 12, 8], [2, 4, 6]]."),
        ("[3, [], 4]", "[] is empty: a node needs a number or a list inside."),
        ("[3 4]", "After “[3” write a comma or a closing ]."),
        ("[3, four]", "“four” is no number: write numbers and [lists] only."),
        ("[3, 4", "After “[3, 4” write a comma or a closing ]."),
        ("[3,", "After “[3,” write a number or a list."),
        ("[3] 4", "After “[3]” the tree has ended: remove the rest."),
        ("[1e9]", "1e9 is too large: stay below 10^9."),
        ("[" * 14 + "1" + "]" * 14, "Deeper than 12 levels: write a shallower tree."),
        (str([1] * 129), "More than 128 leaves: write a smaller tree."),
    ],
)
def test_values_that_make_no_tree_get_one_clear_line(practice, text, answer):
    practice.fill("#values", text)
    practice.click("text=Draw these values")
    assert practice.inner_text("#ownnotice") == answer
    assert practice.evaluate("root.children.length") == 3


def test_a_wrong_address_says_what_to_write(page):
    visit(page, "root=both&depth=99&colour=red&tree=[1")
    notice = page.inner_text("#notice")
    assert "root=both in the address: write max or min." in notice
    assert "depth=99 in the address: write a number from 1 to 6." in notice
    assert "colour in the address is not known here." in notice
    assert "write a comma or a closing ]" in notice
