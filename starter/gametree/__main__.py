"""Draw a tree file and a search of it: python -m gametree FILE"""

import argparse
from itertools import islice
from pathlib import Path

from gametree.assignment import ASSIGNED
from gametree.support.drawing import draw
from gametree.support.errors import InputError
from gametree.support.marks import Marks
from gametree.support.searchpage import search_page
from gametree.support.sentences import deciding
from gametree.support.student import (
    EXCEPTIONS,
    SECONDS,
    check,
    describe_ending,
    describe_order,
    drawing_options,
    load_search,
    run,
    stopped_after,
    wrapped,
)
from gametree.support.texts import describe_search, sentence
from gametree.support.treefile import load_tree

MAX_LEAVES = 20_000  # of a search that can be judged


def main():
    """Print the tree, the marks of the search, its result and its cost."""
    options = read_arguments()
    tree = load_tree(options.file)
    searches = tree.searches_for(options.function)
    search = choose_search(searches, options)
    verdict, lines = run_search(tree, search, options)
    marks = Marks(verdict.task, verdict.trace) if verdict else None
    number = sentence("home.number", number=options.search, count=len(searches))
    print(f"{tree.title}\n{number}, {describe_search(search)}\n")
    print(draw(tree, search, marks, **drawing_options()))
    print()
    for line in lines:
        print(wrapped(line))
    if options.page:
        print(sentence("home.wrote", file=write_page(verdict, options)))


def choose_search(searches, options):
    """Return the search that the command line selects."""
    number = options.search
    count = len(searches)
    if 1 <= number <= count:
        return searches[number - 1]
    problem = sentence(
        "home.no such search",
        file=options.file,
        number=number,
        function=options.function,
        count=count,
    )
    raise InputError(problem)


def run_search(tree, search, options):
    """Return the verdict on the student's search, None without one, and lines about it."""
    path = Path(options.submission)
    name = options.function
    function = getattr(load_search(path), name, None)
    if not function:
        return None, tree_alone("home.no function", file=path, function=name)
    if any(islice(tree.root.frontier(search.depth), MAX_LEAVES, None)):  # it has more
        return None, tree_alone("home.too many leaves")
    with stopped_after(SECONDS, path):
        verdict = check(function, name, tree, search, EXCEPTIONS)
    if verdict.trace.ending.error == "NotImplementedError":
        return None, tree_alone("home.unwritten function", function=name, file=path)
    return verdict, describe_verdict(verdict, describe_order(function, name))


def tree_alone(key, **values):
    """Return the line that says why no search is drawn; `key` names the reason."""
    return [sentence("home.tree alone", why=sentence(key, **values))]


def describe_verdict(verdict, order):
    """Return the lines on the ending of a search, whether it is correct, and why not.

    order: the sentence on arguments in another order, or "".
    """
    lines = [describe_ending(verdict)]
    if verdict.is_right:
        lines.append(sentence("home.right"))
    elif order:
        lines.append(order)
    elif verdict.has_returned:
        lines += [sentence("home.wrong"), deciding(verdict)]
    return lines


def write_page(verdict, options):
    """Write the page of the student's search into this folder, and return its path."""
    if verdict is None:
        raise InputError(sentence("home.no page", function=options.function))
    path = Path(f"{verdict.task.tree.name}-{options.search}.html")
    why = ""
    if verdict.has_returned and not verdict.is_right:
        why = deciding(verdict)
    end = describe_ending(verdict)
    page = search_page(verdict.task, verdict.trace, why=why, end=end)
    path.write_text(page, encoding="utf-8")
    return path


def read_arguments():
    """Return the options of the command line."""
    about = "Draw a tree, and the nodes that your search.py visits and prunes."
    parser = argparse.ArgumentParser(prog="python -m gametree", description=about)
    about = "a tree file, such as trees/03-aima-figure-5-2.yaml"
    parser.add_argument("file", metavar="FILE", help=about)
    parser.add_argument("--search", type=int, default=1, help="number of the search (1)")
    usual = "alphabeta" if "alphabeta" in ASSIGNED else next(iter(ASSIGNED))
    about = f"the function to test ({usual} if none is given)"
    parser.add_argument("--function", choices=ASSIGNED, default=usual, help=about)
    about = "a file other than search.py in this folder"
    parser.add_argument("--submission", default="search.py", help=about)
    about = "generate a page that steps through your search in a browser"
    parser.add_argument("--page", action="store_true", help=about)
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
