"""Compare the handout with what it tells of: points, shares, limits, drawings."""

from __future__ import annotations

import re

from gametree import load_tree, observe, parse_tree
from gametree.drawing import draw, marks_of

BLOCK = re.compile(r"```text (\w+) ?(.*)\n((?:.*\n)*?)```")


def mismatches(text, rubric, reference, root):
    """Yield one line for each figure or drawing of the handout that does not hold.

    `text` is the handout's, `root` the kit's folder.
    """
    yield from _points(text, rubric)
    yield from _shares(text, rubric)
    for name, seconds in (
        ("search may use", rubric.limits.search_cpu_seconds),
        ("whole submission", rubric.limits.total_seconds),
    ):
        said = re.search(rf"{name} ([\d.]+)\s+seconds", text)
        if said and float(said[1]) != seconds:
            yield f"handout.md: '{name} {said[1]} seconds', rubric.yaml says {seconds:g}"
    for about, drawing in blocks(text, "alphabeta"):
        if drawn(about, reference, root) != drawing:
            yield f"handout.md: the drawing of {about} is not what gametree draws"


def table(text, head):
    """Return the rows below the table head that begins with these cells."""
    lines = text.splitlines()
    heads = [n for n, line in enumerate(lines) if line.startswith(f"| {head} |")]
    rows = []
    for line in lines[heads[0] + 2 :] if heads else ():
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def blocks(text, kind):
    """Return (what stands behind the kind, the text) of each block ```text KIND."""
    found = BLOCK.findall(text)
    return [(about, body.rstrip("\n")) for name, about, body in found if name == kind]


def tree_named(about, root):
    """Return (tree, which search) of "trees/x.yaml 2" or "max [1, [1, 1]]"."""
    first, _, rest = about.partition(" ")
    if first.startswith("trees/"):
        return load_tree(root / "starter" / first), int(rest or 1) - 1
    return parse_tree(f"root: {first}\ntree: {rest}\n", "handout"), 0


def drawn(about, reference, root, other=None):
    """Return the drawing of the right alpha-beta, or of another one beside it."""
    tree, index = tree_named(about, root)
    search = tree.searches[index]
    right = observe(reference.alphabeta, "alphabeta", tree, search)
    trace = observe(other, "alphabeta", tree, search) if other else right
    return draw(tree, search, marks_of(tree, search, trace, right.visited))


def _points(text, rubric):
    said = {r[0].strip("`").split("(")[0]: r[1] for r in table(text, "function | points")}
    for function, cents in rubric.cents.items():
        points = f"{cents / 100:g}"
        if said.get(function) != points:
            yield (
                f"handout.md: {function} is worth {said.get(function, 'nothing')} in its "
                f"first table, {points} in rubric.yaml; make them equal"
            )


def _shares(text, rubric):
    said = {
        (function, aspect): share
        for functions, aspect, share, *_ in table(text, "function | aspect")
        for function in re.findall(r"`(\w+)`", functions)
    }
    for function, shares in rubric.shares.items():
        for aspect, share in shares.items():
            if said.get((function, aspect)) != f"{share} %":
                yield (
                    f"handout.md: section 9 says {said.get((function, aspect), 'nothing')} "
                    f"for {function}'s {aspect}, rubric.yaml {share} %; make them equal"
                )
