"""What the public trees say of a search.py: python -m gametree --score"""

from __future__ import annotations

from gametree.asked import ASKED
from gametree.checking import check
from gametree.saying import say
from gametree.student import load_search
from gametree.trace import RAISED
from gametree.treefile import load_trees
from gametree.watch import SECONDS, Endless, stopped_after

WIDTH = 11
UNWRITTEN = "not written yet"
WORDS = {True: "home.right", False: "home.wrong", None: "home.unwritten"}
AGAIN = 1  # second that a function has which did not come to an end before


def score(path: str, folder: str) -> str:
    """Return a table: for each lesson and function, how many searches are right.

    `folder` holds the trees. What is wrong first follows below, and why.
    """
    load_search(path)  # an error of the file itself is said once
    trees, outcomes, first = load_trees(folder), {}, ""
    endless = {}
    for tree in trees:
        for name in ASKED:
            for number, search in enumerate(tree.searches_for(name), start=1):
                wrong = _wrong(path, name, tree, search, endless)
                right = None if wrong == UNWRITTEN else not wrong
                outcomes.setdefault((tree.name, name), []).append(right)
                if right is False and not first:
                    head = say(
                        "home.look first", function=name, tree=tree.name, number=number
                    )
                    first = f"{head}\n{wrong}"
    lines = [_row(*ASKED, say("home.lesson"))]
    for tree in trees:
        cells = [_cell(outcomes.get((tree.name, name), ())) for name in ASKED]
        lines.append(_row(*cells, tree.lesson or tree.title))
    totals = [
        [right for (_, of), each in outcomes.items() if of == name for right in each]
        for name in ASKED
    ]
    sums = (f"{each.count(True)}/{len(each)}" for each in totals)
    lines.append(_row(*sums, say("home.in all")))
    end = first or say("home.all right")
    if not all(map(all, totals)) and not first:
        end = say("home.some not written")
    return "\n".join([*lines, "", end, "", say("home.points")])


def _wrong(path, name, tree, search, endless):
    """Return what is wrong with one search, "" where it is right."""
    seconds = AGAIN if name in endless else SECONDS
    function = getattr(load_search(path), name, None)
    if function is None:
        return say("home.no function", file=path, function=name)
    try:
        with stopped_after(seconds, path):
            checked = check(function, name, tree, search, catch=Exception)
    except Endless as stopped:
        return endless.setdefault(name, str(stopped))
    ending = checked.trace.ending
    if ending.kind == RAISED and ending.error == "NotImplementedError":
        return UNWRITTEN
    return checked.why or "; ".join(checked.wrong)


def _cell(right):
    if not right:
        return "-"
    if len(set(right)) == 1:
        return say(WORDS[right[0]])
    return f"{right.count(True)}/{len(right)}"


def _row(*cells):
    *cells, text = cells
    return "".join(cell.ljust(WIDTH) for cell in cells) + text
