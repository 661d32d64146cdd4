"""The sentence that decides: where a wrong search and the right one part, and why."""

from __future__ import annotations

from collections.abc import Collection

from gametree import divergence as d
from gametree.divergence import Divergence, returned_values
from gametree.saying import say
from gametree.trace import Trace
from gametree.tree import Search, Tree, search_leaf
from gametree.words import in_words, names, number, player


def parting(tree: Tree, search: Search, divergence: Divergence) -> str:
    """Return the sentence for a Divergence of any kind but SAME_LEAVES."""
    return SENTENCES[divergence.kind](tree, search, divergence)


def _place(tree, search, divergence):
    """Return where it is and how the window stands there."""
    node = player(tree.root, search, divergence.path)
    place = say("parting.at", node=node)
    if divergence.child is not None:
        child, value = tree.root.at(divergence.child), number(divergence.returned)
        key = "parting.after leaf" if search_leaf(child, search.depth) else "parting.after"
        place = say(key, node=node, child=child.name, value=value)
    if divergence.alpha is None:
        return place
    alpha, beta = number(divergence.alpha), number(divergence.beta)
    return say("parting.window", place=place, alpha=alpha, beta=beta)


def _went_on(tree, search, divergence):
    return _in_vain("parting.went on", tree, search, divergence)


def _in_vain(key, tree, search, divergence):
    """Say that children cannot matter, and what the search did all the same."""
    place, got = _place(tree, search, divergence), tree.root.at(divergence.got).name
    rest, count = names(tree.root, divergence.paths), len(divergence.paths)
    return say(key, place=place, rest=rest, count=count, got=got)


def _left_out(tree, search, divergence):
    if not divergence.paths:
        return say("parting.no leaf")
    skipped = tree.root.at(divergence.paths[0]).name
    place = _place(tree, search, divergence)
    if divergence.alpha is None:
        return say("parting.left out by minimax", place=place, skipped=skipped)
    return say("parting.left out", place=place, skipped=skipped)


def _other_order(tree, search, divergence):
    first, got = (tree.root.at(path).name for path in (*divergence.paths, divergence.got))
    place = _place(tree, search, divergence)
    return say("parting.other order", place=place, first=first, got=got)


def _again(tree, search, divergence):
    return say("parting.again", got=tree.root.at(divergence.got).name)


def _looked_beyond(tree, search, divergence):
    got = tree.root.at(divergence.got).name
    if not divergence.paths:
        return say("parting.read below the depth", depth=search.depth, got=got)
    return _in_vain("parting.read beyond", tree, search, divergence)


def _beyond(tree, search, divergence):
    position = tree.root.at(divergence.got)
    if len(position.path) > search.depth:
        return say("parting.below the depth", node=position.name, depth=search.depth)
    return say("parting.no end", node=position.name)


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
    value, returned = number(values[()]), number(trace.answer.number)
    if search_leaf(root, search.depth):
        return say("answer.of a leaf", node=root.name, value=value, returned=returned)
    key = "answer.largest" if search.maximizing else "answer.smallest"
    if len([path for path in values if len(path) == 1]) == 1:
        key = "answer.of one child"
    mover, worth = player(root, search, ()), _worth(tree, values)
    return say(key, mover=mover, worth=worth, value=value, returned=returned)


def wrong_move(tree: Tree, search: Search, best: tuple, chosen: tuple) -> str:
    """Explain a wrong move by what the moves are worth; `best` and `chosen` are paths."""
    leaves = [leaf.path for leaf in tree.root.frontier(search.depth)]
    return say(
        "move.largest" if search.maximizing else "move.smallest",
        worth=_worth(tree, returned_values(tree, search, leaves)),
        mover=player(tree.root, search, ()),
        best=tree.root.at(best).name,
        chosen=tree.root.at(chosen).name,
    )


def _worth(tree, values):
    """List what the children of the root returned, those that were searched."""
    children = sorted(path for path in values if len(path) == 1)
    return in_words([f"{tree.root.at(c).name} = {number(values[c])}" for c in children])
