"""The practice page's search against the reference, on a few hundred random trees."""

import json
import math
import types
from pathlib import Path

import pytest

from gametree.trace import observe
from gametree.treefile import parse_tree
from pages.practice import visit

REFERENCE = (Path(__file__).parents[2] / "solution" / "search.py").read_text()
SEARCHED = """([all, cutoff]) => all.map(([seed, depth, branching, root, ties, uneven]) => {
  const values = randomValues({ seed, depth, branching, root, ties, uneven, cutoff });
  const top = treeOf(values, root === "max");
  const run = searchTree(top, cutoff === "strict");
  const { value } = run;
  const found = { values, value, names: {}, visited: [], pruned: [], windows: {} };
  for (const node of inOrder(top)) {
    found.names[node.path] = node.name;
    if (run.visited.has(node)) found.visited.push(String(node.path));
    if (run.pruned.has(node)) found.pruned.push(String(node.path));
    if (!run.visited.has(node) || !node.parent) continue;
    const { alpha, beta } = windowBefore(node, run);
    found.windows[node.path] = [String(alpha), String(beta)];
  }
  return found;
})"""
WANTED = [
    [str(seed), 1 + seed % 5, 2 + seed // 5 % 2, root, seed % 3 == 0, seed % 4 == 1]
    for seed in range(120)
    for root in ("max", "min")
]


def reference(cutoff):
    """Load the reference; return alphabeta and the windows it is called with, by path."""
    test = "alpha > beta" if cutoff == "strict" else "alpha >= beta"
    search = types.ModuleType("search")
    exec(REFERENCE.replace("alpha >= beta", test), search.__dict__)
    inner, windows = search.alphabeta, {}

    def noted(node, depth, alpha, beta, maximizing):
        windows[node._key.path] = (alpha, beta)
        return inner(node, depth, alpha, beta, maximizing)

    search.alphabeta = noted
    return noted, windows


@pytest.mark.parametrize("cutoff", ["equal", "strict"])
def test_the_page_searches_as_the_reference_does(page, cutoff):
    found = visit(page).evaluate(SEARCHED, [WANTED, cutoff])
    search = reference(cutoff)
    for wanted, theirs in zip(WANTED, found, strict=True):
        ours = searched(theirs["values"], wanted[3], *search)
        for fact, right in ours.items():
            assert theirs[fact] == right, (fact, theirs["values"], wanted[3])
    assert sum(bool(theirs["pruned"]) for theirs in found) > 160


def searched(values, root, alphabeta, windows):
    """Return what the reference and the kit's reader say of the same tree."""
    text = f"title: t\nlesson: l\nroot: {root}\ntree: {json.dumps(values)}\n"
    tree = parse_tree(text, "random")
    windows.clear()
    trace = observe(alphabeta, "alphabeta", tree, tree.searches[0])
    seen = set(windows)
    nodes = list(all_below(tree.root))
    return {
        "value": trace.answer.number,
        "names": {written(node.path): node.name for node in nodes},
        "visited": [written(node.path) for node in nodes if node.path in seen],
        "pruned": [
            written(node.path)
            for node in nodes
            if node.path not in seen and node.path[:-1] in seen
        ],
        "windows": {
            written(path): [as_javascript(bound) for bound in window]
            for path, window in windows.items()
            if path
        },
    }


def all_below(position):
    """Yield a position and all below it in search order."""
    yield position
    for child in position.children:
        yield from all_below(child)


def written(path):
    """Write a path as the page does: "0,2,1"."""
    return ",".join(map(str, path))


def as_javascript(number):
    """Write a number as JavaScript's String() does."""
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return str(number)
