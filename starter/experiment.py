"""Count what minimax and alpha-beta visit: python experiment.py"""

import argparse
import math
import re

from gametree.support.errors import InputError
from gametree.support.lazy import ORDERS, Recipe
from gametree.support.student import (
    EXCEPTIONS,
    SECONDS,
    VALUE_FUNCTIONS,
    error_line,
    fails_in_public,
    load_search,
    run,
    stopped_after,
)
from gametree.support.texts import sentence
from gametree.support.trace import VisitCounter
from gametree.support.tree import Search

VALUES = (1 - 10**9, 10**9 - 1)
MAX_LEAVES = 10_000_000  # of a tree; to visit so many takes minutes
SECONDS_A_NODE = 5e-5  # more than a slow machine needs
DEPTHS = re.compile(r"([1-9]\d?)(?:-([1-9]\d?))?")


def main():
    """Print one line for each depth, in the order of the command line."""
    options = read_arguments()
    depths = options.depths
    module = load_search(options.submission)
    columns = list_columns()
    for function in VALUE_FUNCTIONS:
        name = function.name
        search = getattr(module, name, None)
        if search and fails_in_public(search, name, SECONDS, options.submission):
            print(sentence("home.fails in public", function=name))
    for depth in depths:
        counts = []
        for function, order in columns:
            counts.append(count_nodes(module, function, order, depth, options))
        if not any(counts):
            names = " or ".join(function.name for function in VALUE_FUNCTIONS)
            raise InputError(f"{options.submission}: write {names or 'a search'} first")
        if depth == depths[0]:
            print_head(columns, options)
        print_row(depth, counts, options.branching**depth)
    if None in counts:
        print("\n- stands for a function that is not written yet.")


def list_columns():
    """Return (function, order of the tree's children) for each column of counts."""
    columns = []
    for function in VALUE_FUNCTIONS:
        orders = ORDERS if function.has_window else ORDERS[:1]
        columns += [(function, order) for order in orders]
    return columns


def print_head(columns, options):
    """Print the title of the table and the two lines above its columns."""
    where = f"branching {options.branching}, seed {options.seed}"
    print(f"Nodes visited by {options.submission}, {where}\n")
    names = [function.name for function, _ in columns]
    orders = [order for _, order in columns]
    print(align("", *names))
    print(align("depth", *orders, "b^d", "b^(d/2)"))


def print_row(depth, counts, leaves):
    """Print the counts at a depth (a dash for None) and the bounds of the theory."""
    cells = ["-" if count is None else f"{count:,}" for count in counts]
    print(align(str(depth), *cells, f"{leaves:,}", f"{math.sqrt(leaves):,.0f}"))


def align(first, *cells):
    """Return cells as one line in columns, aligned on the right."""
    return first.rjust(5) + "".join(cell.rjust(12) for cell in cells)


def read_arguments():
    """Return the options of the command line."""
    about = "Count the nodes that your minimax and alphabeta visit."
    parser = argparse.ArgumentParser(prog="python experiment.py", description=about)
    parser.add_argument("--branching", type=int, default=3, help="number of children (3)")
    about = "number of plies, or a range such as 1-7 (the default)"
    parser.add_argument("--depths", type=parse_depths, default="1-7", help=about)
    parser.add_argument("--seed", type=int, default=1, help="seed of the random trees (1)")
    parser.add_argument("--submission", default="search.py", help="the file (search.py)")
    options = parser.parse_args()
    deepest = options.depths[-1]
    if options.branching < 1 or options.branching**deepest > MAX_LEAVES:
        problem = (
            f"branching {options.branching} and depth {deepest} make no tree to search"
        )
        parser.error(f"{problem}: choose fewer plies, and one child or more")
    return options


def parse_depths(text):
    """Return the range of depths of a text such as 3 or 1-7."""
    written = DEPTHS.fullmatch(text)
    if written:
        first, last = written.groups()
        depths = range(int(first), int(last or first) + 1)
        if depths:
            return depths
    raise argparse.ArgumentTypeError("write a number below 100, or a range such as 1-7")


def count_nodes(module, function, order, depth, options):
    """Return the number of nodes that a function visits, or None if it is unwritten."""
    search = getattr(module, function.name, None)
    if search is None:
        raise InputError(f"{options.submission} has no function {function.name}")
    recipe = Recipe(options.branching, depth, VALUES, options.seed, order, True)
    arguments = Search(depth, True).arguments(function.name)
    counter = VisitCounter(recipe.root())
    counter.keeps_nodes = False  # a tree may have MAX_LEAVES leaves
    nodes = sum(options.branching**ply for ply in range(depth + 1))
    try:
        with stopped_after(SECONDS + nodes * SECONDS_A_NODE, options.submission):
            search(counter.root, *arguments)
    except NotImplementedError:
        return None
    except EXCEPTIONS as error:
        raise InputError(error_line(error, options.submission)) from None
    return counter.nodes


if __name__ == "__main__":
    run(main)
