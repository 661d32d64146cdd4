"""Make one tree to order: its size, the order of its values, ties, the share pruned."""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.command import Parser, Refused, path, run
from autograder.judging.divergence import LEAF, replay, ties
from autograder.kit import ROOT, load_reference
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree, tree_from_lists
from autograder.tasks import tasks_for
from autograder.utilities import replace_file
from autograder.workbench.treesets import leaves_below, lesson_of, properties_of
from gametree import load_trees
from gametree.asked import ASKED
from gametree.drawing import draw, marks_of
from gametree.lazy import ORDERS, random_tree
from gametree.tree import Published

MOST_LEAVES = 512
MOST_TRIES = 1500
MOST_VISITS = 150_000  # leaves that the tries of one tree may visit together
WIDE = (-(10**6), 10**6)  # values that the best and the worst order are drawn from


def main(arguments=None):
    """Make the tree, draw it, and say what it is like; exit 2 with one line if not."""
    options = parse(arguments)
    order = order_of(options)
    file = options.out or Path("build") / "trees" / order.file_name
    if file.exists() and not options.force:
        raise Refused(f"{file} exists; write FORCE=1 to replace it, or another OUT")
    convention = load_rubric(ROOT / "autograder" / "rubric.yaml").cutoff
    reference = load_reference(ROOT, convention)
    tree = fit_leaf_values(order, convention)
    check_reached(order, tree, convention)
    known = [t for f in ("public", "hidden") for t in load_trees(ROOT / "trees" / f)]
    lessons = {other.lesson for other in known}
    lesson = lesson_of(tree, properties_of(tree, reference), lessons, convention)
    tree = replace(tree, name=file.stem, title=order.title, lesson=lesson)
    tree = published(tree, reference)
    replace_file(file, dump_tree(tree))
    search = tree.searches[0]
    visited = search.published.leaves
    print(draw(tree, search, marks_of(tree, search, visited, visited)))
    tied = "a tie meets a bound" if tie_cuts_off(tree, convention) else "no tie matters"
    share = f"{share_pruned(tree, convention):.0%} of the leaves are pruned"
    print(f"\n{share}; {tied}")
    print(f"wrote {file}; look at its title and lesson, then move it to trees/hidden/")
    print("next: make check")
    return 0


@dataclass(frozen=True)
class Order:
    """What kind of tree is wanted. `pruned` is a share of the leaves in per cent."""

    depth: int
    branching: int
    order: str = "random"
    ties: bool = False
    pruned: int | None = None
    maximizing: bool = True
    seed: int = 1

    @property
    def leaves(self) -> int:
        """How many leaves the tree has."""
        return self.branching**self.depth

    @property
    def title(self) -> str:
        """The tree's title, which says how to make it again."""
        player = "MAX" if self.maximizing else "MIN"
        ties = ", with ties" if self.ties else ""
        shape = f"depth {self.depth}, branching {self.branching}"
        return f"{player} root, {shape}, {self.order} order{ties}, seed {self.seed}"

    @property
    def file_name(self) -> str:
        """A name of its own for each order."""
        player = "max" if self.maximizing else "min"
        pruned = "" if self.pruned is None else f"-pruned{self.pruned}"
        ties = "-ties" if self.ties else ""
        shape = f"{self.depth}x{self.branching}"
        return f"{player}-{shape}-{self.order}{ties}{pruned}-seed{self.seed}.yaml"


def parse(arguments):
    """Return the command's options."""
    parser = Parser(prog="make tree", description=__doc__)
    add = parser.add_argument
    add("--depth", type=_whole(1, 9), required=True, help="plies: DEPTH=3")
    add("--branching", type=_whole(1, 12), required=True, help="children: BRANCHING=2")
    add("--order", choices=ORDERS, default="random", help="of the values: ORDER=best")
    add("--ties", choices=("yes", "no"), default="no", help="equal leaves: TIES=yes")
    add("--pruned", type=_whole(0, 100), help="per cent of the leaves: PRUNED=40")
    add("--root", choices=("max", "min"), default="max", help="who moves: ROOT=min")
    add("--seed", type=_whole(0, 10**9), default=1, help="another such tree: SEED=2")
    add("--out", type=path, help="the file; build/trees/... if not given")
    add("--force", action="store_true", help="replace the file: FORCE=1")
    return parser.parse_args(arguments)


def _whole(least, most):
    """Return a function that reads a whole number in this range."""

    def read(text):
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"write a whole number from {least} to {most}, not {text!r}"
        )

    return read


def order_of(options):
    """Return the Order that the options give; raises Refused where they do not agree."""
    order = Order(
        depth=options.depth,
        branching=options.branching,
        order=options.order,
        ties=options.ties == "yes",
        pruned=options.pruned,
        maximizing=options.root == "max",
        seed=options.seed,
    )
    if order.leaves > MOST_LEAVES:
        raise Refused(
            f"{order.leaves:,} leaves are too many for a file that people read (most: "
            f"{MOST_LEAVES}); write `random:` in a tree file, see trees/README.md"
        )
    if order.pruned is not None and order.order != "random":
        raise Refused(f"ORDER={order.order} settles the share; leave PRUNED or ORDER out")
    if order.ties and order.order == "worst":
        raise Refused("ORDER=worst with TIES=yes is not offered: leave one of them out")
    return order


def fit_leaf_values(order, convention):
    """Return the Tree of an Order, as near to it as the tries come.

    In random order the values are changed, two leaves at a time, as long as that brings
    the share pruned nearer; where no share is wanted, nothing is changed.
    """
    if order.order != "random":
        return grown(sorted_values(order), order)
    rng = random.Random(str(order))
    values = random_values(rng, order)
    tree = grown(values, order)
    distance = distance_from(order, tree, convention)
    for _ in range(min(MOST_TRIES, MOST_VISITS // len(values))):
        if distance == 0:
            break
        other_values = changed(rng, values, order)
        other_tree = grown(other_values, order)
        other_distance = distance_from(order, other_tree, convention)
        if other_distance <= distance:
            tree, values, distance = other_tree, other_values, other_distance
    return tree


def check_reached(order, tree, convention):
    """Raise Refused where the tries did not come to what was ordered."""
    if order.order != "random" or distance_from(order, tree, convention) == 0:
        return
    if order.ties and not tie_cuts_off(tree, convention):
        raise Refused("no tie was found that meets a bound: write another SEED")
    reached = round(100 * share_pruned(tree, convention))
    halves = order.depth // 2, order.depth - order.depth // 2
    fewest = sum(order.branching**half for half in halves) - 1  # Knuth and Moore, 1975
    most = 100 * (1 - fewest / order.leaves)
    raise Refused(
        f"PRUNED={order.pruned} is out of reach: {reached} % came nearest, and no tree of "
        f"this size has over {most:.0f} % pruned; write PRUNED={reached}, or another SEED"
    )


def distance_from(order, tree, convention):
    """Return how far a tree is from its Order: 0 is as wanted."""
    distance = 0.0
    if order.pruned is not None:
        distance = abs(share_pruned(tree, convention) - order.pruned / 100)
        distance = 0.0 if distance < 0.5 / order.leaves else distance
    if order.ties and not tie_cuts_off(tree, convention):
        distance += 1
    return distance


def share_pruned(tree, convention):
    """Return which part of the leaves the right search leaves out, from 0 to 1."""
    steps = replay(tree, tree.searches[0], convention)
    return 1 - sum(step.kind == LEAF for step in steps) / leaves_below(tree.root)


def tie_cuts_off(tree, convention):
    """Tell whether a leaf equals a bound where children are left to search."""
    return bool(ties(tree, replay(tree, tree.searches[0], convention)))


def random_values(rng, order):
    """Return leaf values left to right: all different, or from a small range."""
    if order.ties:
        return [rng.randint(1, max(2, order.leaves // 2)) for _ in range(order.leaves)]
    return rng.sample(range(1, order.leaves + 1), order.leaves)


def changed(rng, values, order):
    """Return the values with two leaves exchanged or, with ties, one made equal."""
    values = list(values)
    first, second = rng.randrange(len(values)), rng.randrange(len(values))
    if order.ties and rng.random() < 0.5:
        values[first] = values[second]
    else:
        values[first], values[second] = values[second], values[first]
    return values


def sorted_values(order):
    """Return leaf values 1, 2, 3 ... in best or worst order; with ties, half of them."""
    for index in range(100):
        seed = order.seed + 10**9 * index
        shape = order.branching, order.depth, WIDE, seed, order.order
        row = [random_tree(*shape, order.maximizing)]
        while not row[0].terminal:
            row = [child for position in row for child in position.children]
        values = [position.value for position in row]
        if len(set(values)) == len(values):
            rank = {value: place for place, value in enumerate(sorted(values), start=1)}
            return [(rank[v] + 1) // 2 if order.ties else rank[v] for v in values]
    raise Refused("no such tree was found; write another SEED")


def grown(values, order):
    """Return the Tree with these leaf values, `branching` children at every node."""
    row, width = list(values), order.branching
    for _ in range(order.depth):
        row = [row[start : start + width] for start in range(0, len(row), width)]
    return tree_from_lists(row[0], order.maximizing)


def published(tree, reference):
    """Return the tree with the reference's figures as its published ones."""
    traces = {t.function: t.expected for t in tasks_for([tree], reference, ASKED)}
    visited = traces["alphabeta"].visited
    leaves = {leaf.path for leaf in tree.root.frontier(tree.searches[0].depth)}
    figures = Published(
        value=traces["minimax"].answer.number,
        leaves=visited,
        pruned=frozenset(leaves - visited),
        nodes=traces["alphabeta"].node_count,
        move=traces["best_move"].answer.path,
    )
    return replace(tree, searches=(replace(tree.searches[0], published=figures),))


if __name__ == "__main__":
    run("tree", main)
