"""The practice page, clicked through as a student would, and to the eye."""

import json
import re

from autograder.judging.steps import replay
from gametree import parse_tree
from gametree.support.views import view_of
from pages import engine
from pages.engine import cross, crossed, edge, node, off, overlaps, says, visit, visited

TEXT_ON_GROUND = (
    "ink-paper", "ink-card", "ink-tint", "soft-paper", "soft-card", "accent-paper",
    "warn-paper", "card-accent", "card-warn",
)  # fmt: skip
ADDRESSES = [
    "seed=1&depth=3&branching=3",
    "seed=2&depth=6&branching=2&uneven=on&root=min",
    "seed=3&depth=5&branching=2&ties=on",
    "seed=4&depth=2&branching=5",
    "tree=[[10001,-20000,3.25],[[1,2],7],[0]]",
    "tree=[0.123456,[[[[-123456789]]]],5]",
]
LEAVES = """() => {
  const leaves = inOrder(root).filter(node => !node.children.length);
  const different = key => new Set(leaves.map(leaf => leaf[key])).size;
  return [leaves.length, different("value"), different("level")];
}"""
TREES = [
    {
        "seed": str(seed),
        "depth": 1 + seed % 5,
        "branching": 2 + seed // 5 % 2,
        "root": root,
        "ties": seed % 3 == 0,
        "uneven": seed % 4 == 1,
    }
    for seed in range(24)
    for root in ("max", "min")
]
SEARCHED = f"""([trees, cutoff]) => trees.map((settings) => {{
  const values = randomValues({{ ...settings, cutoff }});
  const top = treeOf(values, settings.root === "max");
  const names = inOrder(top).map(({{ name }}) => name);
  return [values, names, ({engine.STEPS})(searchTree(top, cutoff === "strict").steps)];
}})"""

PICTURES = """["forward", "back"].map((way) => {
  const button = document.getElementById(way), pictures = [];
  for (;;) {
    pictures.push(document.querySelector("#scroll svg").outerHTML);
    if (button.getAttribute("aria-disabled") === "true") return pictures;
    button.click();
  }
})"""


# Pruning: the address, what is crossed off, what the page answers.
ANSWERS = {
    "exactly the pruned branches": (
        "", ["c2", "c3"],
        ["✓ Right. 2 pruned branches: 7 of 9 leaves are visited, "
         "and the value of the tree is 3."],
    ),
    "too little is explained by alpha and beta": (
        "", [],
        ["✗ 2 more branches are pruned: the first in search order is the one from C to c2. "
         "The search never takes it, and you kept it.",
         "At C (MIN), after c1 = 2: alpha = 3, beta = 2, alpha >= beta, "
         "so c2 and c3 cannot matter.",
         "MAX is already sure of 3 or more at A"],
    ),
    "too much is explained by alpha and beta": (
        "", ["c2", "c3", "d2"],
        ["✗ One branch is wrong: the one from D to d2. "
         "The search takes it, and you crossed it off.",
         "At D (MIN), after d1 = 14: alpha = 3, beta = 14, alpha < beta, "
         "so d2 can still matter.",
         "The rule at D is: prune if <= 3. d1 = 14 is not enough."],
    ),
    "a first child": ("", ["B"], ["A first child is always searched"]),
    "the first wrong branch in search order is the one explained": (
        "", ["d3", "b2", "c3"], ["3 branches are wrong", "from B to b2"],
    ),
    "equal values are pruned and the page says why": (
        "tree=[1,[1,1]]", [],
        ["alpha = 1, beta = 1, alpha >= beta, so b2 cannot matter.", "Equal is enough"],
    ),
    "strict cutoffs: nothing is pruned at a tie": (
        "tree=[1,[1,1]]&cutoff=strict", [], ["✓ Right. Nothing is pruned here"],
    ),
    "strict cutoffs: a tie is explained": (
        "tree=[1,[1,1]]&cutoff=strict", ["b2"], ["only alpha > beta prunes"],
    ),
}  # fmt: skip


def test_what_is_crossed_off_is_checked(page):
    for what, (address, names, answers) in ANSWERS.items():
        visit(page, address)
        cross(page, *names)
        page.dispatch_event("#check", "click")
        if not says(page).startswith("✓"):
            page.dispatch_event("text=Explain the first", "click")
        assert all(answer in says(page) for answer in answers), (what, says(page))


def test_two_hints_come_before_the_explanation(practice):
    practice.click("#check")
    assert says(practice).startswith(
        "✗ 2 more branches are pruned.\nLook at C (MIN), after c1 = 2: what are alpha and "
        "beta there, and is the condition met?"
    )
    assert "cannot matter" not in says(practice) and "There alpha" not in says(practice)
    assert "current" in node(practice, "C").get_attribute("class")
    assert not practice.locator(".edge.wrong").count()
    assert node(practice, "C").locator(".bound").all_text_contents() == ["", ""]
    practice.click("#hint")
    assert says(practice).endswith(
        "There alpha = 3, beta = 2. The condition: prune if <= 3."
    )
    assert node(practice, "C").locator(".bound").all_text_contents() == ["α 3", "β 2"]
    assert node(practice, "C").locator(".note").text_content() == "prune if <= 3"
    cross(practice, "c2", "c3")
    practice.click("#hint")
    assert says(practice) == "Nothing is wrong now: check."


def test_the_condition_is_explained(page):
    for cutoff, sign in (("equal", "<= alpha"), ("strict", "< alpha")):
        visit(page, f"tree=[1,[1,1]]&cutoff={cutoff}")
        assert not page.locator("#about").is_visible()
        page.click("text=What is the condition?")
        assert f"prune if the value so far is {sign}" in page.inner_text("#about")


# Levels and the score.


def answer(page, right=True):
    """Check the right answer of the tree, or one without any branch crossed off."""
    branches = "run.pruned" if right else "run.pruned.size ? [] : [root.children[0]]"
    page.evaluate(f"crossed = new Set({branches}); show()")
    page.dispatch_event("#check", "click")


def test_the_score_counts_the_last_ten_trees_at_first_try_without_help(page):
    for button in ("#hint", "#reveal"):
        visit(page)
        assert page.inner_text("#score") == ""
        page.click(button)
        answer(page)
        assert page.inner_text("#score") == "0 of 1 tree right on the first try"
    visit(page)
    answer(page, right=False)
    answer(page)
    assert page.inner_text("#score") == "0 of 1 tree right on the first try"
    for right in (9, 10):
        for _ in range(9 if right == 9 else 1):
            page.dispatch_event("#another", "click")
            answer(page)
        score = f"{right} of the last 10 trees right on the first try"
        assert page.inner_text("#score") == score


def test_a_level_draws_trees_of_its_kind_again_and_again(page):
    visit(page)
    levels = [(2, 0, 0), (3, 0, 0), (3, 1, 0), (4, 0, 1), (4, 1, 1)]
    for number, (depth, ties, uneven) in enumerate(levels):
        page.select_option("#level", str(number))
        for _ in range(2):
            page.dispatch_event("#another", "click")
            assert page.input_value("#level") == str(number)
            given = page.evaluate("[settings.depth, settings.ties, settings.uneven]")
            assert given == [depth, bool(ties), bool(uneven)]


def test_three_right_trees_in_a_row_offer_the_next_level(page):
    visit(page)
    assert page.input_value("#level") == "0"
    offer = page.locator("text=Go on to level 2")
    for right in (False, True, True, True):
        assert not offer.count()
        page.dispatch_event("#another", "click")
        answer(page, right)
    offer.click()
    assert page.input_value("#level") == "1"
    assert page.evaluate("settings.depth") == 3


def test_a_click_crosses_off_brings_back_and_says_what_is_gone_already(page):
    visit(page, "tree=[1,[0,[5,6]]]")
    cross(page, "c1", "c2")  # which is not to cross off their node
    page.click("#check")
    page.click("text=Explain the first")
    assert "the one from B to C. The search never takes it" in says(page)
    cross(page, "C")
    page.click("#check")
    assert says(page).startswith("✓ Right.")
    visit(page, "tree=[1,[0,[5,6]]]")
    cross(page, "C", "c1")
    assert crossed(page) == ["C"]
    assert "already gone with the branch to C" in says(page)
    cross(page, "C")
    node(page, "c2").click()
    assert crossed(page) == ["c2"]


def test_the_answer_can_be_shown_and_its_moment_in_the_steps(practice):
    practice.click("#check")
    practice.click("text=Explain the first")
    practice.click("text=See this moment in the steps")
    assert "so c2 and c3 cannot matter" in says(practice)
    assert "mode=step" in practice.url
    visit(practice)
    practice.click("#reveal")
    assert crossed(practice) == ["c2", "c3"]
    assert visited(practice) == ["b1", "b2", "b3", "c1", "d1", "d2", "d3"]
    assert "chosen" in edge(practice, "B").get_attribute("class")
    assert node(practice, "A").locator(".bound").all_text_contents() == ["α 3", "β +∞"]


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
    assert says(practice).startswith("✓ Right.")


# Stepping.


def test_the_page_searches_step_by_step_as_the_right_search_does(page):
    for cutoff, convention in (("equal", "equality"), ("strict", "strict")):
        searched = visit(page).evaluate(SEARCHED, [TREES, cutoff])
        for settings, (values, names, steps) in zip(TREES, searched, strict=True):
            text = f"root: {settings['root']}\ntree: {json.dumps(values)}\n"
            tree = parse_tree(text, "random")
            drawn = view_of(tree, max_nodes=500).everything()
            assert names == [view.position.name for view in drawn]
            expected = replay(tree, tree.searches[0], convention)
            assert steps == engine.steps_as_data(tree, expected), (values, settings)
        assert sum("cutoff" in str(steps) for *_, steps in searched) > 30


def test_steps_go_forwards_and_backwards_to_the_same_pictures(page):
    visit(page, "tree=[[3,12],[2,[4,5]]]&mode=step")
    forwards, backwards = page.evaluate(PICTURES)
    assert len(set(forwards)) == len(forwards) == 12
    assert off(page, "back") and backwards[::-1] == forwards


# Alpha and beta.


def test_alpha_and_beta_are_asked_for_and_explained(page):
    visit(page, "mode=quiz")
    page.fill("#alpha", "three")
    page.keyboard.press("Enter")
    assert says(page).startswith("Write alpha as a number")
    node(page, "C").click()
    assert "At C (MIN) the search has just arrived" in page.inner_text("#question")
    page.fill("#alpha", "3")
    page.click("#highest")
    page.click("#quiz [type=submit]")
    assert says(page).startswith("✓ Right. At C, before c1: alpha = 3, beta = +∞.")
    node(page, "D").click()
    node(page, "D").click()
    page.fill("#alpha", "-inf")
    page.fill("#beta", "2")
    page.keyboard.press("Enter")
    assert says(page).splitlines() == [
        "✗ At D, before d2: alpha is 3, not −∞; beta is 14, not 2.",
        "alpha = 3: set at A (MAX) when B returns 3.",
        "beta = 14: set at D (MIN) when d1 = 14.",
        "So at D: prune if <= 3.",
    ]


# Trees and addresses.


def test_an_address_draws_the_same_tree_for_good(page):
    visit(page, "seed=week3&depth=3&branching=2&root=min&ties=on&uneven=on&mode=step")
    assert page.input_value("#values") == "[[[0], [1, -1]], [[2], -1]]"
    assert page.is_checked("[name=mode][value=step]")
    for root in ("min", "max"):
        values, shared = page.input_value("#values"), page.url
        page.goto("about:blank")
        page.goto(shared)
        assert page.input_value("#values") == values
        assert page.evaluate("settings.root") == root
        visit(page)
        page.click("#another")
        assert page.input_value("#values") != "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


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


SLIPS = {
    "": "Begin with a list, such as [[3, 12, 8], [2, 4, 6]].",
    "7": "Begin with a list, such as [[3, 12, 8], [2, 4, 6]].",
    "[3, [], 4]": "[] is empty: a node needs a number or a list inside.",
    "[3 4]": "After “[3” write a comma or a closing ].",
    "[3, four]": "“four” is not a number: write numbers and [lists] only.",
    "[3,": "After “[3,” write a number or a list.",
    "[3] 4": "After “[3]” the tree has ended: remove the rest.",
    "[1e9]": "1e9 is too large: stay below 10^9.",
    "[" * 14 + "1" + "]" * 14: "Deeper than 12 levels: write a shallower tree.",
    str([1] * 129): "More than 128 leaves: write a smaller tree.",
}


def test_own_values_are_drawn_or_get_one_clear_line(practice):
    practice.fill("#values", "[[1.5, -2], [10001, [0]]]")
    practice.click("text=Draw these values")
    names = practice.locator(".node .name").all_text_contents()
    assert names == ["A", "B", "b1", "b2", "C", "c1", "D", "d1"]
    values = practice.locator(".leaf .value").all_text_contents()
    assert values == ["1.5", "−2", "10001", "0"]
    for text, line in SLIPS.items():
        practice.fill("#values", text)
        practice.dispatch_event("text=Draw these values", "click")
        assert practice.inner_text("#ownnotice") == line
        assert practice.evaluate("root.children.length") == 2


def test_an_address_that_makes_no_tree_says_what_to_write(page):
    visit(page, "seed=1&depth=6&branching=5")
    assert "makes 15625 leaves" in page.inner_text("#notice")
    assert "depth=3" in page.url
    visit(page, "root=both&depth=99&colour=red&tree=[1")
    for notice in (
        "root=both in the address: write max or min.",
        "depth=99 in the address: write a number from 1 to 6.",
        "colour in the address is not known here.",
        "write a comma or a closing ]",
    ):
        assert notice in page.inner_text("#notice")


# To the eye.


def test_it_is_one_small_file_that_needs_nothing_else():
    text = engine.PAGE.read_text()
    assert len(text.encode()) < 72_000  # with the steps of any search; it loads in no time
    assert re.findall(r"https?://[^\s\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=\"(?!data:)", text)


def test_a_phone_scrolls_the_drawing_sideways_and_nothing_else(open_page):
    page = open_page(viewport=engine.PHONE)
    wide = "document.documentElement.scrollWidth"
    drawing = "document.getElementById('scroll').scrollWidth"
    for mode in ("prune", "step", "quiz"):
        visit(page, f"mode={mode}")
        assert page.evaluate(wide) == 360 and page.evaluate(drawing) <= 336
        visit(page, f"seed=1&depth=4&branching=3&mode={mode}")
        assert page.evaluate(wide) == 360 and page.evaluate(drawing) > 1000
        page.evaluate("goTo(30)")
        panel = page.locator(".panel").bounding_box()
        for inside in page.locator(".panel button:visible, .panel td:visible").all():
            box = inside.bounding_box()
            assert box["x"] + box["width"] <= panel["x"] + panel["width"]


def test_nothing_in_the_drawing_overlaps(open_page):
    for width in (360, 1280):
        page = visit(open_page(viewport={"width": width, "height": 800}))
        for address in ADDRESSES:
            visit(page, f"{address}&mode=step")
            page.dispatch_event("#last", "click")
            assert overlaps(page) == [], (address, width)


def test_text_stands_out_from_its_ground(open_page):
    colour = "name => getComputedStyle(document.documentElement).getPropertyValue(name)"
    for scheme in ("light", "dark"):
        page = visit(open_page(color_scheme=scheme))
        for pair in TEXT_ON_GROUND:
            colours = [page.evaluate(colour, f"--{name}") for name in pair.split("-")]
            low, high = sorted(map(luminance, colours))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (pair, scheme)


def luminance(colour):
    """Return the relative luminance of "#rrggbb", as WCAG defines it."""
    parts = [part / 255 for part in bytes.fromhex(colour.strip().lstrip("#"))]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
