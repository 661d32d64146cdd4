"""Draw a tree file, and what a search of it visited: python -m gametree FILE"""

from __future__ import annotations

import argparse
from pathlib import Path

from gametree.checking import BUDGET, Checked, check
from gametree.course import ASKED
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS
from gametree.saying import player, say
from gametree.sentences import answer
from gametree.student import (
    SECONDS,
    CannotRun,
    drawing_options,
    load_search,
    run,
    stopped_after,
)
from gametree.trace import EXPAND, OUT_OF_QUERIES, RETURNED
from gametree.treefile import load_tree

MOST_STEPS = 1000  # that --steps lists


def main():
    """Print the tree, the marks of the search, and what it returned and cost."""
    options = arguments()
    tree = load_tree(options.file)
    search = chosen(tree, options)
    checked, remark = searched(tree, search, options)
    marks = None
    if checked:
        marks = marks_of(tree, search, checked.trace, checked.right_leaves)
    number = say("home.number", number=options.search, count=len(tree.searches))
    print(f"{tree.title}\n{number}, {search.in_words()}\n")
    print(draw(tree, search, marks, **drawing_options()))
    if checked and options.steps:
        print("", *steps(tree, search, checked.trace), sep="\n")
    print(f"\n{remark}")
    if checked:
        print(*judged(checked), sep="\n")
    if options.page:
        page = written(tree, search, checked, remark, options)
        print(say("home.wrote", file=page))


def judged(checked: Checked) -> list[str]:
    """Return the lines that say whether a search is right, and if not, why."""
    if checked.wrong:
        kept = say("finding.state kept")
        more = [kept[0].upper() + kept[1:] + "."] * (kept in checked.wrong)
        return [say("home.wrong"), *more, *filter(None, [checked.why])]
    return [say("home.right" if checked.right else "home.not judged")]


def written(tree, search, checked, remark, options):
    """Write the page of the student's search into this folder; return its name."""
    from gametree.steppage import step_page

    if checked is None:
        missing = f"--page steps through {options.function}: write it in search.py first"
        raise CannotRun(missing)
    path = Path(f"{tree.name}-{options.search}.html")
    trace, why, right = checked.trace, checked.why, checked.right_leaves
    page = step_page(tree, search, options.function, trace, why, remark, right)
    path.write_text(page, encoding="utf-8")
    return path


def chosen(tree, options):
    """Return the search that the command line asks for."""
    last = len(tree.searches)
    if not 1 <= options.search <= last:
        problem = f"{options.file} has no search {options.search}"
        raise CannotRun(f"{problem}: choose from 1 to {last}")
    search, function = tree.searches[options.search - 1], options.function
    known = FUNCTIONS[function]
    if not (search.full_window or known.has_window):
        problem = f"search {options.search} has a window"
        raise CannotRun(f"{problem}, which only alphabeta is given")
    if search not in tree.searches_for(function):
        raise CannotRun(f"search {options.search} has no moves to choose from")
    return search


def searched(tree, search, options):
    """Return what came of the student's search, or None, and the line about it."""
    path, name = options.submission or "search.py", options.function
    if not options.submission and not Path(path).is_file():
        return None, say("home.tree alone", why=say("home.no file"))
    function = getattr(load_search(path), name, None)
    if function is None:
        missing = say("home.no function", file=path, function=name)
        return None, say("home.tree alone", why=missing)
    with stopped_after(SECONDS, path):
        checked = check(function, name, tree, search, Exception)
    trace = checked.trace
    ending, line = trace.ending, trace.text.line
    if ending.error == "NotImplementedError":
        missing = say("home.unwritten function", function=name, file=path)
        return None, say("home.tree alone", why=missing)
    filled = {
        "function": name,
        "most": BUDGET,
        "where": say("home.where", line=line, file=Path(path).name) if line else "",
        "visits": say(
            "home.visits",
            leaves=say("home.leaves", count=len(trace.visited)),
            nodes=say("home.nodes", count=trace.node_count),
        ),
        "error": f"{ending.error}: {trace.text.message}".removesuffix(": "),
        "result": answer(tree, trace.answer),
    }
    if ending.kind == RETURNED:
        return checked, say("home.returned", **filled)
    stopped = ending.kind == OUT_OF_QUERIES
    return checked, say("home.stopped" if stopped else "home.raised", **filled)


def steps(tree, search, trace):
    """Return a line for each query of the search, indented by plies."""
    lines = []
    for number, (kind, path) in enumerate(trace.events[:MOST_STEPS], start=1):
        position = tree.root.at(path)
        query = f"evaluate {position.name} = {position.static_value()}"
        if kind == EXPAND:
            query = f"expand {player(tree.root, search, path)}"
        lines.append(f"{number:5}  {'  ' * len(path)}{query}")
    more = len(trace.events) - len(lines)
    return [*lines, f"       {say('home.more queries', count=more)}"] if more else lines


def arguments():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m gametree",
        description="Draw a tree, and what your search.py visits and prunes in it.",
    )
    about = "a tree file, such as trees/03-aima-figure-5-2.yaml"
    parser.add_argument("file", metavar="FILE", help=about)
    parser.add_argument("--search", type=int, default=1, help="which of the file's (1)")
    usual = "alphabeta" if "alphabeta" in ASKED else next(iter(ASKED))
    what = f"which function to run ({usual})"
    parser.add_argument("--function", choices=ASKED, default=usual, help=what)
    parser.add_argument("--submission", help="a file instead of search.py in this folder")
    about = "list each query of your search"
    parser.add_argument("--steps", action="store_true", help=about)
    about = "write a page that steps through your search, for your browser"
    parser.add_argument("--page", action="store_true", help=about)
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
