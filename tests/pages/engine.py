"""Read and operate practice.html in a browser, for practice and for pages of steps."""

import itertools
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "starter" / "practice.html"
VISITS = itertools.count()
PHONE = {"width": 390, "height": 740}
SEARCH = """() => {
  const windows = [], values = [], pruned = [];
  for (const { kind, node, alpha, beta, value, rest } of run.steps) {
    if (["enter", "leaf"].includes(kind)) windows.push([node.name, alpha, beta]);
    if (["leaf", "leave"].includes(kind)) values.push([node.name, value]);
    if (kind === "cutoff") pruned.push([node.name, rest.map(({ name }) => name)]);
  }
  return [windows, values, pruned];
}"""
OVERLAPS = """() => {
  const drawn = [...document.querySelectorAll(
    'svg :is(.shape, .bound, .note rect, .leaf > .name, .beside, .row)')]
    .map(e => [e, e.getBoundingClientRect()]).filter(([, b]) => b.width);
  const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const of = e => `${e.closest('[data-node]')?.dataset.node}:${e.textContent || e.tagName}`;
  return drawn.flatMap(([e, a], i) => drawn.slice(i + 1)
    .filter(([, b]) => touch(a, b)).map(([f]) => `${of(e)} over ${of(f)}`));
}"""
PATH = "name => String(inOrder(root).find(node => node.name === name).path)"
ON_THE_LINE = """line => {
  const at = line.getPointAtLength(0.6 * line.getTotalLength());
  const placed = at.matrixTransform(line.getScreenCTM());
  return [placed.x, placed.y];
}"""
NAMED = """([groups, look]) => [...drawing[groups]]
  .filter(([, group]) => group.classList.contains(look)).map(([node]) => node.name)"""


def visit(page, address=""):
    """Load the practice page at an address such as "seed=7&mode=step".

    The number makes each address new, because a new fragment alone does not reload a page.
    """
    address = f"{PAGE.as_uri()}?{next(VISITS)}#{address}"
    page.goto(address, wait_until="domcontentloaded")
    return page


def edge(page, name):
    """Return the branch that leads to the node called `name`."""
    return page.locator(f".edge[data-node='{_path(page, name)}']")


def node(page, name):
    """Return the drawn node called `name`."""
    return page.locator(f".node[data-node='{_path(page, name)}']")


def _path(page, name):
    return page.evaluate(PATH, name)


def cross(page, *names):
    """Click the branches to these nodes, on the line itself."""
    for name in names:
        page.mouse.click(*edge(page, name).locator(".line").evaluate(ON_THE_LINE))


def pruned_names(page):
    """Return the names of the nodes whose branch is drawn as pruned."""
    return page.evaluate(NAMED, ["edges", "crossed"])


def visited_names(page):
    """Return the names of the leaves that are drawn as visited."""
    return page.evaluate(NAMED, ["nodes", "visited"])


def says(page):
    """Return the message of the page, one line for each sentence."""
    return re.sub(r"\n+", "\n", page.inner_text("#says")).strip()


def step_of(page):
    """Return the number of the step, such as "Step 1 of 26"."""
    return page.inner_text("#count")


def is_off(page, button):
    """Tell whether a button is disabled. A disabled button can still have the focus."""
    return page.get_attribute(f"#{button}", "aria-disabled") == "true"


def overlaps(page):
    """Return which shapes, labels, windows and notes of the drawings overlap."""
    return page.evaluate(OVERLAPS)


ANSWERS = {
    "correct": "crossed = new Set(run.pruned); show()",
    "wrong": "crossed = new Set(run.pruned.size ? [] : [root.children[0]]); show()",
}
# The words of a step in a .yaml file: what is done with the content of a word.
ACTS = {
    "visit": visit,
    "click": lambda page, selector: page.click(selector),
    "click the node": lambda page, name: node(page, name).click(),
    "cross off": lambda page, names: cross(page, *names),
    "answer": lambda page, answer: page.evaluate(ANSWERS[answer]),
    "focus": lambda page, selector: page.focus(selector),
    "press": lambda page, keys: [page.keyboard.press(key) for key in keys],
    "fill in": lambda page, fields: [page.fill(*field) for field in fields.items()],
}
# What the page then shows, which must equal the content of the word.
SHOWN = {
    "says": lambda page, parts: [part for part in parts if part in says(page)],
    "omits": lambda page, parts: [part for part in parts if part not in says(page)],
    "has": lambda page, parts: [part for part in parts if page.locator(part).count()],
    "lacks": lambda page, parts: [part for part in parts if not page.locator(part).count()],
    "texts": lambda page, texts: {part: texts_of(page, part) for part in texts},
    "pruned": lambda page, _: pruned_names(page),
    "visited": lambda page, _: visited_names(page),
}


def walk(page, steps):
    """Take the steps of a walk in a .yaml file, and check what the page shows."""
    for step in steps:
        for word, content in step.items():
            if word in ACTS:
                ACTS[word](page, content)
            else:
                assert SHOWN[word](page, content) == content, says(page)


def texts_of(page, selector):
    """Return the texts of all parts of the page that a selector matches."""
    return page.locator(selector).all_text_contents()


def search_on_page(page):
    """Return the windows, values and pruned children in the steps of a page's search."""
    return page.evaluate(SEARCH)


def search_as_data(correct):
    """Return a CorrectSearch in the format of search_on_page()."""
    visited = correct.values
    entered = [path for path in correct.windows if path in visited]
    windows = [[correct.name(path), *correct.windows[path]] for path in entered]
    values = [[correct.name(path), value] for path, value in visited.items()]
    pruned = []
    for path, children in correct.pruned.items():
        pruned.append([correct.name(path), [correct.name(child) for child in children]])
    return [windows, values, pruned]
