"""Find leaf values for a uniform tree: its order, its ties, the share that is pruned."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.command import Parser, Refused, run
from autograder.judging.divergence import LEAF, replay, ties
from autograder.kit import ROOT, load_reference
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree, tree_from_lists
from autograder.tasks import tasks_for
from autograder.utilities import replace_file
from autograder.workbench.treesets import leaves_below, lesson_of, properties_of
from gametree import load_trees
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS
from gametree.lazy import ORDERS, random_tree
from gametree.tree import Published
from gametree.treefile import frontier

MOST_TRIES = 1500
MOST_VISITS = 150_000  # leaves that the tries of one tree may visit together
WIDE = (-(10**6), 10**6)  # values that the best and the worst order are drawn from


def make_tree(order, convention):
    """Return the Tree of an order (see onetree.Order), as near as the tries come.

    In random order the values are changed, two leaves at a time, as long as that
    brings the share pruned nearer; without a wish for it, nothing is changed.
    """
    rng = random.Random(f"{order}")
    if order.order != "random":
        return grown(ordered_values(order), order)
    values = random_values(rng, order)
    tree = grown(values, order)
    miss = missed_by(tree, order, convention)
    for _ in range(min(MOST_TRIES, MOST_VISITS // len(values))):
        if miss == 0:
            break
        other = changed(rng, values, order)
        candidate = grown(other, order)
        found = missed_by(candidate, order, convention)
        if found <= miss:
            tree, values, miss = candidate, other, found
    return tree


def missed_by(tree, order, convention):
    """Return how far a tree is from its order: 0 is as wanted."""
    miss = 0.0
    if order.pruned is not None:
        miss = abs(share_pruned(tree, convention) - order.pruned / 100)
        miss = 0.0 if miss < 0.5 / order.branching**order.depth else miss
    if order.ties and not tie_cuts_off(tree, convention):
        miss += 1
    return miss


def share_pruned(tree, convention):
    """Return which part of the leaves the right search leaves out, from 0 to 1."""
    steps = replay(tree, tree.searches[0], convention)
    return 1 - sum(step.kind == LEAF for step in steps) / leaves_below(tree.root)


def tie_cuts_off(tree, convention):
    """Tell whether a leaf equals a bound where children are left to search."""
    return bool(ties(tree, replay(tree, tree.searches[0], convention)))


def random_values(rng, order):
    """Return leaf values left to right: all different, or from a small range."""
    leaves = order.branching**order.depth
    if order.ties:
        return [rng.randint(1, max(2, leaves // 2)) for _ in range(leaves)]
    return rng.sample(range(1, leaves + 1), leaves)


def changed(rng, values, order):
    """Return the values with two leaves exchanged or, with ties, one drawn anew."""
    values = list(values)
    first, second = rng.randrange(len(values)), rng.randrange(len(values))
    if order.ties and rng.random() < 0.5:
        values[first] = values[second]
    else:
        values[first], values[second] = values[second], values[first]
    return values


def ordered_values(order):
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


MOST_LEAVES = 512
MOST = {"DEPTH": 9, "BRANCHING": 12, "PRUNED": 100, "SEED": 10**9}


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
    def title(self):
        """The tree's title, which says how to make it again."""
        player = "MAX" if self.maximizing else "MIN"
        ties = ", with ties" if self.ties else ""
        shape = f"depth {self.depth}, branching {self.branching}"
        return f"{player} root, {shape}, {self.order} order{ties}, seed {self.seed}"

    @property
    def file_name(self):
        """A name of its own for each order."""
        player = "max" if self.maximizing else "min"
        pruned = "" if self.pruned is None else f"-pruned{self.pruned}"
        ties = "-ties" if self.ties else ""
        shape = f"{self.depth}x{self.branching}"
        return f"{player}-{shape}-{self.order}{ties}{pruned}-seed{self.seed}.yaml"


def read_order(options):
    """Return the Order that the command line gives; raises Refused in one line."""
    order = Order(
        depth=_whole("DEPTH", options.depth, 1),
        branching=_whole("BRANCHING", options.branching, 1),
        order=_choice("ORDER", options.order, ORDERS),
        ties=_choice("TIES", options.ties, ("yes", "no")) == "yes",
        pruned=_whole("PRUNED", options.pruned, 0) if options.pruned else None,
        maximizing=_choice("ROOT", options.root, ("max", "min")) == "max",
        seed=_whole("SEED", options.seed, 0),
    )
    leaves = order.branching**order.depth
    if leaves > MOST_LEAVES:
        raise Refused(
            f"{leaves:,} leaves are too many for a file that people read (most: "
            f"{MOST_LEAVES}); write `random:` in a tree file, see trees/README.md"
        )
    if order.pruned is not None and order.order != "random":
        raise Refused(f"ORDER={order.order} settles the share; leave PRUNED or ORDER out")
    if order.ties and order.order == "worst":
        raise Refused("ORDER=worst with TIES=yes is not offered: leave one of them out")
    return order


def _whole(name, text, least):
    if not (text.isdecimal() and least <= int(text) <= MOST[name]):
        raise Refused(f"{name}={text}: write a whole number from {least} to {MOST[name]}")
    return int(text)


def _choice(name, text, allowed):
    if text not in allowed:
        raise Refused(f"{name}={text}: write {', '.join(allowed[:-1])} or {allowed[-1]}")
    return text


def published(tree, reference):
    """Return the tree with the reference's figures as its published ones."""
    traces = {t.function: t.expected for t in tasks_for([tree], reference, FUNCTIONS)}
    visited = traces["alphabeta"].visited
    leaves = {leaf.path for leaf in frontier(tree.root, tree.searches[0].depth)}
    figures = Published(
        value=traces["minimax"].answer.number,
        leaves=visited,
        pruned=frozenset(leaves - visited),
        nodes=traces["alphabeta"].node_count,
        move=traces["best_move"].answer.path,
    )
    return replace(tree, searches=(replace(tree.searches[0], published=figures),))


def parse(arguments):
    """Return the command's options, all of them text."""
    parser = Parser(prog="make tree", description=__doc__)
    parser.add_argument("--depth", required=True, help="plies: DEPTH=3")
    parser.add_argument("--branching", required=True, help="children: BRANCHING=2")
    parser.add_argument("--order", default="random", help="random, best or worst")
    parser.add_argument("--ties", default="no", help="equal leaves, yes or no")
    parser.add_argument("--pruned", default="", help="per cent of the leaves: PRUNED=40")
    parser.add_argument("--root", default="max", help="max or min")
    parser.add_argument("--seed", default="1", help="another tree of the kind: SEED=2")
    parser.add_argument("--out", default="", help="the file; build/trees/... if not given")
    parser.add_argument("--force", action="store_true", help="replace the file: FORCE=1")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Make the tree, draw it, and say what it is like; exit 2 with one line if not."""
    options = parse(arguments)
    order = read_order(options)
    path = Path(options.out or Path("build") / "trees" / order.file_name)
    if path.exists() and not options.force:
        raise Refused(f"{path} exists; write FORCE=1 to replace it, or another OUT")
    convention = load_rubric(ROOT / "autograder" / "rubric.yaml").cutoff
    reference = load_reference(ROOT, convention)
    tree = make_tree(order, convention)
    known = [t for f in ("public", "hidden") for t in load_trees(ROOT / "trees" / f)]
    lessons = {other.lesson for other in known}
    lesson = lesson_of(tree, properties_of(tree, reference), lessons, convention)
    tree = replace(tree, name=path.stem, title=order.title, lesson=lesson)
    tree = published(tree, reference)
    replace_file(path, dump_tree(tree))
    search = tree.searches[0]
    visited = search.published.leaves
    print(draw(tree, search, marks_of(tree, search, visited, visited)))
    wanted = "" if order.pruned is None else f", wanted {order.pruned} %"
    tied = "a tie meets a bound" if tie_cuts_off(tree, convention) else "no tie matters"
    share = f"{share_pruned(tree, convention):.0%} of the leaves are pruned{wanted}"
    print(f"\n{share}; {tied}")
    print(f"wrote {path}; look at its title and lesson, then move it to trees/hidden/")
    print("next: make check, and make copies if you move it to trees/public/")
    return 0


if __name__ == "__main__":
    run("tree", main)
