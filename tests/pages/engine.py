"""Read and operate practice.html in a browser, for practice and for pages of steps."""

import itertools
import re
from pathlib import Path

from gametree.support.correct import CUTOFF, LEAF, LEAVE

PAGE = Path(__file__).parents[2] / "starter" / "practice.html"
VISITS = itertools.count()
PHONE = {"width": 390, "height": 740}
STEPS = """steps => steps.map(({ kind, node, alpha, beta, value, child, rest }) => [
  kind, node.name, alpha, beta, ["leaf", "leave"].includes(kind) ? value : null,
  child ? child.name : null, ...(kind === "cutoff"
    ? [rest.slice(0, 8).map(({ name }) => name), rest.length] : [])])"""
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


def steps_as_data(correct):
    """Return the steps of a CorrectSearch in the format of STEPS."""

    def name(path):
        return None if path is None else correct.root.at(path).name

    def row(step):
        value = step.value if step.kind in (LEAF, LEAVE) else None
        child = name(step.child_path)
        data = [step.kind, name(step.path), step.alpha, step.beta, value, child]
        if step.kind == CUTOFF:
            data += [[name(path) for path in step.pruned_paths[:8]], len(step.pruned_paths)]
        return data

    return [row(step) for step in correct.steps]
