"""The sentence that decides: where a wrong search and the right one part, and why."""

from __future__ import annotations

from collections.abc import Collection

from gametree import divergence as d
from gametree.divergence import Divergence, returned_values
from gametree.trace import Trace
from gametree.tree import Search, Tree, search_leaf
from gametree.words import in_words, names, number, player

STATE_KEPT = (
    "a second search of the same tree went differently: something is kept "
    "from one call to the next (a global, a default argument, a table), or drawn at random"
)
UNPROVEN = (
    "the answer is right, but the leaves it visited do not prove it: "
    "other values in the leaves it left out would change it"
)


def parting(tree: Tree, search: Search, divergence: Divergence) -> str:
    """Return the sentence for a Divergence of any kind but SAME_LEAVES."""
    return SENTENCES[divergence.kind](tree, search, divergence)


def _place(tree, search, divergence):
    """Return where it is and how the window stands there."""
    text = f"At {player(tree.root, search, divergence.path)}"
    if divergence.child is not None:
        child = tree.root.at(divergence.child)
        verb = "=" if search_leaf(child, search.depth) else "returned"
        text += f", after {child.name} {verb} {number(divergence.returned)}"
    if divergence.alpha is None:
        return text
    return f"{text}: alpha = {number(divergence.alpha)}, beta = {number(divergence.beta)}"


def _went_on(tree, search, divergence):
    rest = names(tree.root, divergence.paths)
    return (
        f"{_place(tree, search, divergence)}, so {rest} cannot matter; "
        f"your search went on to {tree.root.at(divergence.got).name}."
    )


def _left_out(tree, search, divergence):
    if not divergence.paths:
        return "Your search visited no leaf at all, so it cannot know the value."
    skipped = tree.root.at(divergence.paths[0]).name
    place = _place(tree, search, divergence)
    if divergence.alpha is None:
        return (
            f"{place}: minimax visits every leaf, since each "
            f"can matter; your search left out {skipped}."
        )
    return f"{place}, so {skipped} can matter; your search left it out."


def _other_order(tree, search, divergence):
    first = tree.root.at(divergence.paths[0]).name
    got = tree.root.at(divergence.got).name
    return (
        f"{_place(tree, search, divergence)}: children are searched from left to right, "
        f"so {first} comes before {got}; your search went to {got} first."
    )


def _again(tree, search, divergence):
    return (
        f"Your search came to {tree.root.at(divergence.got).name} again after it had been "
        "there; one visit is enough, if its value is kept in a variable."
    )


def _looked_beyond(tree, search, divergence):
    read = f"your search read the children of {tree.root.at(divergence.got).name}"
    if not divergence.paths:
        return f"This search of depth {search.depth} ends above it, but {read}."
    rest = names(tree.root, divergence.paths)
    return f"{_place(tree, search, divergence)}, so {rest} cannot matter; {read}."


def _beyond(tree, search, divergence):
    position = tree.root.at(divergence.got)
    if len(position.path) > search.depth:
        why = f"this search of depth {search.depth} ends above it"
    else:
        why = "it has children, and the search is to go on to them"
    return f"Your search evaluated {position.name}, but {why}."


SENTENCES = {
    d.WENT_ON: _went_on,
    d.LEFT_OUT: _left_out,
    d.OTHER_ORDER: _other_order,
    d.AGAIN: _again,
    d.LOOKED_BEYOND: _looked_beyond,
    d.BEYOND: _beyond,
}


def wrong_value(tree: Tree, trace: Trace, leaves: Collection[tuple]) -> str:
    """Explain a wrong value after the right visits, by what the root chooses from."""
    root, search = tree.root, trace.search
    values = returned_values(tree, search, leaves)
    yours = f"your search returned {number(trace.answer.number)}"
    if search_leaf(root, search.depth):
        return f"{root.name} is a leaf: its value is {number(values[()])}; {yours}."
    worth = _worth(tree, values)
    mover = player(root, search, ())
    if len([path for path in values if len(path) == 1]) == 1:
        chosen = f"{mover} has one child, {worth}, and takes its value,"
    else:
        chosen = f"{mover} takes the {_which(search)} of {worth}, which is"
    return f"Your search visits the right leaves. {chosen} {number(values[()])}; {yours}."


def wrong_move(tree: Tree, search: Search, best: tuple, chosen: tuple) -> str:
    """Explain a wrong move by what the moves are worth; `best` and `chosen` are paths."""
    leaves = [leaf.path for leaf in tree.root.frontier(search.depth)]
    worth = _worth(tree, returned_values(tree, search, leaves))
    mover = player(tree.root, search, ())
    return (
        f"The moves are worth {worth}. {mover} takes the leftmost of the "
        f"{_which(search)}, {tree.root.at(best).name}; "
        f"your best_move chose {tree.root.at(chosen).name}."
    )


def _which(search):
    return "largest" if search.maximizing else "smallest"


def _worth(tree, values):
    """List what the children of the root returned, those that were searched."""
    children = sorted(path for path in values if len(path) == 1)
    return in_words([f"{tree.root.at(c).name} = {number(values[c])}" for c in children])
