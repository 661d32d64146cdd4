"""Count what minimax and alpha-beta visit: python -m gametree.experiment"""

import argparse
import math
import re

from gametree.course import ASSIGNED
from gametree.functions import FUNCTIONS, NUMBER
from gametree.support.lazy import ORDERS, random_tree
from gametree.support.student import (
    SECONDS,
    CannotRun,
    error_line,
    load_search,
    run,
    stopped_after,
)
from gametree.support.trace import Counter
from gametree.support.tree import Search

VALUES = (1 - 10**9, 10**9 - 1)
MAX_LEAVES = 10_000_000  # of a tree; to visit so many takes minutes
SECONDS_A_NODE = 5e-5  # more than a slow machine needs
DEPTHS = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?")
COLUMNS = [
    (name, order)
    for name in ASSIGNED
    if FUNCTIONS[name].answer == NUMBER
    for order in (ORDERS if FUNCTIONS[name].has_window else ORDERS[:1])
]


def main():
    """Print one line for each depth, in the order of the command line."""
    options = arguments()
    search = load_search(options.submission)
    for depth in options.depths:
        counts = [count(search, *column, depth, options) for column in COLUMNS]
        if not any(counts):
            names = " or ".join(dict.fromkeys(name for name, _ in COLUMNS))
            raise CannotRun(f"{options.submission}: write {names or 'a search'} first")
        if depth == options.depths[0]:
            names, orders = zip(*COLUMNS)
            where = f"branching {options.branching}, seed {options.seed}"
            print(f"Nodes visited by {options.submission}, {where}\n")
            print(row("", *names), row("depth", *orders, "b^d", "b^(d/2)"), sep="\n")
        leaves = options.branching**depth
        bounds = f"{leaves:,}", f"{math.sqrt(leaves):,.0f}"
        print(row(str(depth), *("-" if n is None else f"{n:,}" for n in counts), *bounds))
    if None in counts:
        print("\n- stands for a function that is not written yet.")


def row(*cells):
    """Return cells as one line in columns, aligned on the right."""
    return cells[0].rjust(5) + "".join(cell.rjust(12) for cell in cells[1:])


def arguments():
    """Return the options of the command line; `depths` is a range."""
    about = "Count the nodes that minimax and alphabeta of your search.py visit."
    parser = argparse.ArgumentParser(
        prog="python -m gametree.experiment", description=about
    )
    parser.add_argument("--branching", type=int, default=3, help="children (3)")
    about = "plies: one number, or a range such as 1-7 (the default)"
    parser.add_argument("--depths", default="1-7", help=about)
    parser.add_argument("--seed", type=int, default=1, help="of the random trees (1)")
    parser.add_argument("--submission", default="search.py", help="the file (search.py)")
    options, depths = parser.parse_args(), None
    if written := DEPTHS.fullmatch(options.depths):
        depths = range(int(written[1]), int(written[2] or written[1]) + 1)
    if not depths:
        parser.error(f"--depths {options.depths}: write a number, or a range such as 1-7")
    branching, options.depths = options.branching, depths
    if branching < 1 or max(depths[-1], branching ** min(depths[-1], 24)) > MAX_LEAVES:
        problem = f"branching {branching} and depth {depths[-1]} make no tree to search"
        parser.error(f"{problem}: choose fewer plies, and one child or more")
    return options


def count(search, name, order, depth, options):
    """Return how many nodes one function visits in a tree of one order."""
    function = getattr(search, name, None)
    if function is None:
        raise CannotRun(f"{options.submission} has no function {name}")
    nodes = sum(options.branching**ply for ply in range(depth + 1))
    position = random_tree(options.branching, depth, VALUES, options.seed, order)
    counter = Counter()
    try:
        with stopped_after(SECONDS + nodes * SECONDS_A_NODE, options.submission):
            function(counter.root(position), *Search(depth, True).arguments(name))
    except NotImplementedError:
        return None
    except Exception as error:
        raise CannotRun(error_line(error, options.submission)) from None
    return counter.nodes


if __name__ == "__main__":
    run(main)
