"""Draw a tree file, and what a search of it visited: python -m gametree FILE"""

from __future__ import annotations

import argparse
from pathlib import Path

from gametree.drawing import draw, marks_of
from gametree.student import CannotRun, drawing_options, load_search, run
from gametree.trace import OUT_OF_QUERIES, RETURNED, observe
from gametree.treefile import load_tree

BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory


def main():
    """Print the tree, the marks of the search, and what it returned and cost."""
    options = arguments()
    tree = load_tree(options.file)
    search = chosen(tree, options)
    trace, remark = searched(tree, search, options)
    expected = search.published.leaves if options.function == "alphabeta" else None
    marks = marks_of(tree, search, trace, expected) if trace else None
    number = f"Search {options.search} of {len(tree.searches)}"
    print(f"{tree.title}\n{number}, {search.in_words()}\n")
    print(draw(tree, search, marks, **drawing_options()))
    print(f"\n{remark}")


def chosen(tree, options):
    """Return the search that the command line asks for."""
    last = len(tree.searches)
    if not 1 <= options.search <= last:
        problem = f"{options.file} has no search {options.search}"
        raise CannotRun(f"{problem}: choose from 1 to {last}")
    search = tree.searches[options.search - 1]
    if options.function == "minimax" and not search.full_window:
        problem = f"search {options.search} has a window"
        raise CannotRun(f"{problem}, which only alphabeta is given")
    return search


def searched(tree, search, options):
    """Return the Trace of the student's search, or None, and the line about it."""
    path, name = options.submission or "search.py", options.function
    if not options.submission and not Path(path).is_file():
        return None, "No search.py in this folder: this is the tree alone."
    function = getattr(load_search(path), name, None)
    if function is None:
        return None, f"{path} has no function {name}: this is the tree alone."
    trace = observe(function, name, tree, search, BUDGET)
    ending = trace.ending
    if ending.error == "NotImplementedError":
        return None, f"{name} in {path} is not written yet: this is the tree alone."
    visits = f"{len(trace.visited):,} leaves and {trace.node_count:,} nodes visited"
    if ending.kind == OUT_OF_QUERIES:
        return trace, f"{name} was stopped after {BUDGET:,} queries; {visits}."
    if ending.kind != RETURNED:
        error = f"{ending.error}: {ending.message}".removesuffix(": ")
        return trace, f"{name} raised {error}; until then {visits}."
    result = trace.answer.number
    if trace.answer.kind != "number":
        result = f"{trace.answer.in_words()}, not a number"
    return trace, f"{name} returned {result}; {visits}."


def arguments():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m gametree",
        description="Draw a tree, and what your search.py visits and prunes in it.",
    )
    parser.add_argument("file", metavar="FILE", help="a tree file, such as trees/NAME.yaml")
    parser.add_argument("--search", type=int, default=1, help="which of the file's (1)")
    functions = ("alphabeta", "minimax")
    what = "which function to run (alphabeta)"
    parser.add_argument("--function", choices=functions, default=functions[0], help=what)
    parser.add_argument("--submission", help="a file instead of search.py in this folder")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
