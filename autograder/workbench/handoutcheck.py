"""Compare the handout with the kit: points, concepts, shares, limits, drawings."""

from __future__ import annotations

import math
import re

from autograder.judging.concepts import ABOUT, WEIGHTS
from autograder.judging.scores import points_text
from autograder.smalltrees.telling import (
    DIGITS,
    HAIR,
    MOST_CHILDREN,
    MOST_DEPTH,
    MOST_PLIES,
    MOST_VISITS,
)
from gametree import load_tree, observe, parse_tree
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS

# The heads of three tables.
POINTS, CONCEPTS, SHARES = "function | points", "concept", "function | aspect"
BLOCK = re.compile(r"```text (\w+) ?(.*)\n((?:.*\n)*?)```")


def mismatches(text, rubric, reference, root):
    """Yield one line for each figure or drawing of the handout that does not hold.

    `text` is the handout's, `root` the kit's folder.
    """
    points = {row[0].strip("`").split("(")[0]: row[1] for row in table(text, POINTS)}
    for function, cents in rubric.cents.items():
        if points.get(function) != f"{cents / 100:g}":
            yield (
                f"handout.md: {function} is worth {points.get(function, 'nothing')} in its "
                f"first table, {cents / 100:g} in rubric.yaml; make them equal"
            )
    yield from _concepts(table(text, CONCEPTS), rubric)
    shares = {
        (function, aspect): share
        for functions, aspect, share, *_ in table(text, SHARES)
        for function in re.findall(r"`(\w+)`", functions)
    }
    for function, by_aspect in rubric.shares.items():
        for aspect, share in by_aspect.items():
            stated = shares.get((function, aspect), "nothing")
            if stated != f"{share} %":
                yield (
                    f"handout.md: section 9 says {stated} for {function}'s {aspect}, "
                    f"rubric.yaml {share} %; make them equal"
                )
    for what, seconds in (
        ("search may use", rubric.limits.search_cpu_seconds),
        ("whole submission", rubric.limits.total_seconds),
    ):
        stated = re.search(rf"{what} ([\d.]+)\s+seconds", text)
        if stated and float(stated[1]) != seconds:
            yield f"handout.md: '{what} {stated[1]} seconds', rubric.yaml says {seconds:g}"
    flat = " ".join(text.split())
    for words in limits_in_words():
        if words not in flat:
            yield f"handout.md: section 2 does not say '{words}', which trees keep to"
    for about, drawing in blocks(text, "alphabeta"):
        if drawn(about, reference, root) != drawing:
            yield f"handout.md: the drawing of {about} is not what gametree draws"


def limits_in_words():
    """Return what the handout says of the limits that the trees keep to."""
    power = round(math.log10(HAIR))
    return (
        f"at most {DIGITS} decimals",
        f"differ by 10^{power} or more",
        f"at most {MOST_CHILDREN} children, {MOST_PLIES} plies, a depth of {MOST_DEPTH}",
        f"{MOST_VISITS} visits by a right search",
    )


def _concepts(rows, rubric):
    """Yield one line for each concept whose points, or whose line, are not the kit's."""
    kit = {name: [""] * len(FUNCTIONS) + [about] for name, about in ABOUT.items()}
    for column, function in enumerate(FUNCTIONS):
        if function not in rubric.cents:
            continue
        for name, cents in rubric.row_cents(function, WEIGHTS[function]).items():
            kit[name][column] = points_text(cents)
    stated = {name: cells for name, *cells in rows}
    for name in kit.keys() | stated.keys():
        if kit.get(name) != stated.get(name):
            line = " | ".join([name, *kit[name]]) if name in kit else "nothing"
            yield f"handout.md: section 9's line of '{name}' is not the kit's: write {line}"


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
    """Return (the words after KIND, the text) of each block that begins ```text KIND."""
    return [
        (about, body.rstrip("\n"))
        for name, about, body in BLOCK.findall(text)
        if name == kind
    ]


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
