"""The practice page as a student meets it: branches, nodes, what it says."""

from itertools import count
from pathlib import Path

PAGE = Path(__file__).parents[2] / "starter" / "practice.html"
VISITS = count()


def visit(page, address=""):
    """Open the practice page afresh at an address such as "seed=7&mode=step".

    The number makes it another file address: a new fragment alone loads nothing.
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


def crossed(page):
    """Return the names of the nodes whose branch is drawn as pruned."""
    return page.evaluate(NAMED, ["edges", "crossed"])


def visited(page):
    """Return the names of the leaves that are drawn as visited."""
    return page.evaluate(NAMED, ["nodes", "visited"])


PATH = "name => String(inOrder(root).find(node => node.name === name).path)"
ON_THE_LINE = """line => {
  const at = line.getPointAtLength(0.6 * line.getTotalLength());
  const placed = at.matrixTransform(line.getScreenCTM());
  return [placed.x, placed.y];
}"""
NAMED = """([groups, look]) => [...drawing[groups]]
  .filter(([, group]) => group.classList.contains(look)).map(([node]) => node.name)"""
