"""Draw a tree file and a search of it: python -m gametree FILE"""

import argparse
from itertools import islice
from pathlib import Path

from gametree.course import ASSIGNED
from gametree.support.drawing import draw
from gametree.support.saying import describe_search, say
from gametree.support.steppage import step_page
from gametree.support.student import (
    SECONDS,
    CannotRun,
    check_twice,
    describe_ending,
    drawing_options,
    load_search,
    run,
    stopped_after,
)
from gametree.support.trace import RETURNED
from gametree.support.treefile import load_tree

MAX_LEAVES = 20_000  # of a search that can be judged


def main():
    """Print the tree, the marks of the search, its result and its cost."""
    options = read_arguments()
    tree = load_tree(options.file)
    search = choose_search(tree, options)
    checked, remark = run_search(tree, search, options)
    marks = None
    if checked:
        marks = checked.marks
    else:
        remark = say("home.tree alone", why=remark)
    number = say("home.number", number=options.search, count=len(tree.searches))
    print(f"{tree.title}\n{number}, {describe_search(search)}\n")
    print(draw(tree, search, marks, **drawing_options()))
    print(f"\n{remark}")
    if checked:
        print(*describe_verdict(checked), sep="\n")
    if options.page:
        print(say("home.wrote", file=write_page(checked, remark, options)))


def choose_search(tree, options):
    """Return the search that the command line selects."""
    number = options.search
    last = len(tree.searches)
    if not 1 <= number <= last:
        problem = say("home.no such search", file=options.file, number=number, last=last)
        raise CannotRun(problem)
    chosen = tree.searches[number - 1]
    for search in tree.searches_for(options.function):
        if search == chosen:
            return search
    key = "home.no moves" if chosen.full_window else "home.has a window"
    raise CannotRun(say(key, number=number))


def run_search(tree, search, options):
    """Return the checked search of the student and its ending, or None and the reason."""
    path = Path(options.submission or "search.py")
    name = options.function
    if not options.submission and not path.is_file():
        return None, say("home.no file")
    function = getattr(load_search(path), name, None)
    if not function:
        return None, say("home.no function", file=path, function=name)
    if any(islice(tree.root.frontier(search.depth), MAX_LEAVES, None)):  # it has more
        return None, say("home.too many leaves")
    with stopped_after(SECONDS, path):
        checked = check_twice(function, name, tree, search)
    if checked.trace.ending.error == "NotImplementedError":
        return None, say("home.unwritten function", function=name, file=path)
    return checked, describe_ending(checked)


def describe_verdict(checked):
    """Return the lines that say whether a search is correct, and if not, why."""
    if checked.trace.ending.kind != RETURNED:
        return [say("home.not returned")]
    if not checked.wrong:
        return [say("home.right")]
    lines = [say("home.wrong")]
    keeps_state = say("finding.state kept")
    if keeps_state in checked.wrong:
        lines.append(f"{keeps_state[0].upper()}{keeps_state[1:]}.")
    if checked.why:
        lines.append(checked.why)
    return lines


def write_page(checked, remark, options):
    """Write the page of the student's search into this folder, and return its path."""
    if checked is None:
        raise CannotRun(say("home.no page", function=options.function))
    path = Path(f"{checked.task.tree.name}-{options.search}.html")
    page = step_page(checked.task, checked.trace, why=checked.why, end=remark)
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
    parser.add_argument("--submission", help="a file other than search.py in this folder")
    about = "generate a page that steps through your search in a browser"
    parser.add_argument("--page", action="store_true", help=about)
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
