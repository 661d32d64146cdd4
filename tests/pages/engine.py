"""The engine of practice.html as readers meet it, in practice and on a step page."""

import re

from autograder.judging.steps import CUTOFF, LEAF, LEAVE

PHONE = {"width": 360, "height": 740}
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


def says(page):
    """Return what is said, one line for each sentence."""
    return re.sub(r"\n+", "\n", page.inner_text("#says")).strip()


def count(page):
    """Return which step is shown, of how many."""
    return page.inner_text("#count")


def off(page, button):
    """Tell whether a button says that it does nothing now; it keeps the focus."""
    return page.get_attribute(f"#{button}", "aria-disabled") == "true"


def overlaps(page):
    """Return what covers what in the drawings: shapes, labels, windows and notes."""
    return page.evaluate(OVERLAPS)


def steps_as_data(tree, steps):
    """Return the Steps of a replay as STEPS returns those of the engine."""

    def name(path):
        return None if path is None else tree.root.at(path).name

    def row(kind, path, alpha, beta, value, child, pruned):
        value = value if kind in (LEAF, LEAVE) else None
        rest = [[name(path) for path in pruned[:8]], len(pruned)] * (kind == CUTOFF)
        return [kind, name(path), alpha, beta, value, name(child), *rest]

    return [row(*step) for step in steps]
