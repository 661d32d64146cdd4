"""Count what minimax and alpha-beta visit: python -m gametree.experiment"""

from __future__ import annotations

import argparse
import math

from gametree.course import ASKED
from gametree.functions import FUNCTIONS, NUMBER
from gametree.lazy import ORDERS, random_tree
from gametree.student import SECONDS, CannotRun, error_line, load_search, run, stopped_after
from gametree.trace import Counter, OutOfQueries
from gametree.tree import Search

VALUES = (1 - 10**9, 10**9 - 1)
MOST_LEAVES = 10_000_000  # of a tree; to visit so many takes minutes
SECONDS_A_NODE = 5e-5  # more than a slow machine needs
EACH_NODE = 20  # queries for each node of the tree, after which a search is stopped
COUNTED = [FUNCTIONS[name] for name in ASKED if FUNCTIONS[name].answer == NUMBER]
COLUMNS = [
    (function.name, order)
    for function in COUNTED
    for order in (ORDERS if function.has_window else ("random",))
]


def main():
    """Print one line for each depth, in the order of the command line."""
    options = arguments()
    search = load_search(options.submission)
    for depth in options.depths:
        counts = [count(search, column, depth, options) for column in COLUMNS]
        if not any(counts):
            names = " or ".join(function.name for function in COUNTED)
            raise CannotRun(f"{options.submission}: write {names or 'a search'} first")
        if depth == options.depths[0]:
            print(heading(options))
        leaves = options.branching**depth
        bounds = f"{leaves:,}", f"{math.sqrt(leaves):,.0f}"
        print(row(str(depth), *("-" if n is None else f"{n:,}" for n in counts), *bounds))
    if None in counts:
        print("\n- stands for a function that is not written yet.")


def heading(options):
    """Return the lines above the figures."""
    file, branching, seed = options.submission, options.branching, options.seed
    names, orders = zip(*COLUMNS, strict=True)
    title = f"Nodes visited by {file}, branching {branching}, seed {seed}\n"
    return "\n".join([title, row("", *names), row("depth", *orders, "b^d", "b^(d/2)")])


def row(*cells):
    """Return cells as one line in columns, aligned on the right."""
    return cells[0].rjust(5) + "".join(cell.rjust(12) for cell in cells[1:])


def arguments():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m gametree.experiment",
        description="Count the nodes that minimax and alphabeta of your search.py visit.",
    )
    parser.add_argument("--branching", type=positive, default=3, help="children (3)")
    help_text = "plies: one number, or a range such as 1-7 (the default)"
    parser.add_argument("--depths", type=depths, default=depths("1-7"), help=help_text)
    parser.add_argument("--seed", type=positive, default=1, help="of the random trees (1)")
    parser.add_argument("--submission", default="search.py", help="the file (search.py)")
    options = parser.parse_args()
    branching, depth = options.branching, options.depths[-1]
    if max(depth, branching ** min(depth, 24)) > MOST_LEAVES:
        problem = f"branching {branching} and depth {depth} make a tree too large to search"
        parser.error(f"{problem}: choose fewer plies")
    return options


def positive(text):
    """Return a whole number of at least 1."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(text)


def depths(text):
    """Return the depths that "4" or "1-6" names."""
    first, dash, last = text.partition("-")
    chosen = range(positive(first), positive(last if dash else first) + 1)
    if not chosen:
        raise argparse.ArgumentTypeError(f"{text}: write the smaller depth first")
    return chosen


def count(search, column, depth, options):
    """Return how many nodes one function visits in a tree of one order."""
    name, order = column
    function = getattr(search, name, None)
    if function is None:
        raise CannotRun(f"{options.submission} has no function {name}")
    nodes = sum(options.branching**ply for ply in range(depth + 1))
    position = random_tree(options.branching, depth, VALUES, options.seed, order)
    counter = Counter(EACH_NODE * nodes)
    try:
        with stopped_after(SECONDS + nodes * SECONDS_A_NODE, options.submission):
            function(counter.root(position), *Search(depth, True).arguments(name))
    except OutOfQueries:
        problem = f"it made more than {EACH_NODE} queries for each node of the tree"
        raise CannotRun(f"{name}, depth {depth}: {problem}") from None
    except NotImplementedError:
        return None
    except Exception as error:
        raise CannotRun(error_line(error, options.submission)) from None
    return counter.nodes


if __name__ == "__main__":
    run(main)
