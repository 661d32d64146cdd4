"""What a set of trees shows, whether it is fit to grade with, and what a tree is about."""

from __future__ import annotations

import itertools

from autograder.judging.concepts import cuts_off_far_below
from autograder.judging.divergence import CUTOFF, LEAF, replay, ties
from autograder.smalltrees.build import described, lists_of
from gametree import Position, observe

MOST_LETTERS = 69  # of a title or a lesson
MOST_WALKED = 5000  # positions of a lazy tree that are looked at

# property -> what an instructor adds where the set lacks it
REQUIRED = {
    "MAX root": "a tree with `root: max`",
    "MIN root": "a tree with `root: min`",
    "a tie that cuts off": "a leaf equal to the bound, such as MAX [1, [1, 1]]",
    "all values negative": "a tree whose values are all below zero",
    "all values positive": "a tree whose values are all above zero",
    "a zero": "a tree with 0 among its values",
    "a fraction": "a value such as 2.5",
    "a value above 10,000": "a value such as 20000",
    "a value below -10,000": "a value such as -20000",
    "uneven depth": "a leaf beside a subtree, such as [1, [2, 3]]",
    "a single child": "an interior node with one child, such as [1, [2]]",
    "a deep cutoff": "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]",
    "a depth limit over static values": "a `depth:` that ends at interior nodes",
    "a narrow window": "a search with `alpha:` and `beta:`",
    "a best move that is not the first": "a tree whose best child is not the leftmost",
}
# property -> its words in a lesson, in the order in which they are worth saying
PHRASES = {
    "a narrow window": "a window that is given",
    "a depth limit over static values": "static values at the horizon",
    "a best move that is not the first": "a better move comes later",
    "a deep cutoff": "a bound from far above",
    "a single child": "a forced move",
    "uneven depth": "lines of different length",
    "a fraction": "fractions",
    "a value above 10,000": "large values",
    "a value below -10,000": "large losses",
    "all values negative": "losses only",
    "a zero": "a zero among the values",
    "all values positive": "gains only",
}
TIES = {"equality": "a tie cuts off", "strict": "a tie does not cut off"}


def lint(public, hidden, reference):
    """Yield one line for each thing to mend in the sets, with what to do."""
    trees = [*public, *hidden]
    for key in ("title", "lesson"):
        for tree, first in _repeats(trees, lambda tree, key=key: getattr(tree, key)):
            text = getattr(tree, key)
            yield f"{tree.name}: the {key} of {first.name} too; reword one: {text!r}"
    for tree, first in _repeats(trees, lambda tree: (content_of(tree), tree.searches)):
        yield f"{tree.name}: the same tree as {first.name}; change or remove one"
    for tree in trees:
        for key, text in (("title", tree.title), ("lesson", tree.lesson)):
            if len(text) > MOST_LETTERS:
                yield f"{tree.name}: the {key} has {len(text)} letters; shorten it"
            if "should" in text.lower():
                yield f"{tree.name}: the {key} says 'should'; say what is so"
    shown = set().union(*(properties_of(tree, reference) for tree in hidden))
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def _repeats(trees, key):
    """Yield (tree, the first tree that has the same key) of those that repeat one."""
    first = {}
    for tree in trees:
        earlier = first.setdefault(key(tree), tree)
        if earlier is not tree:
            yield tree, earlier


def content_of(tree):
    """Return what a tree is, names and texts apart: equal for equal trees."""
    lazy = type(tree.root) is not Position  # also a game: it is not written out
    content = described(tree.root) if lazy else lists_of(tree.root)
    return repr(content), tree.maximizing


def leaves_below(position):
    """Return how many leaves lie below a position; 1 for a leaf itself."""
    return sum(each.terminal for each in position.subtree())


def properties_of(tree, reference):
    """Return the names of the properties in REQUIRED that the tree has.

    In a strict course "a tie that cuts off" is one that would, did equality do.
    """
    positions = list(itertools.islice(tree.root.subtree(), MOST_WALKED))
    leaves = [position for position in positions if position.terminal]
    values = [leaf.value for leaf in leaves]
    replays = [
        (search, replay(tree, search, reference.convention)) for search in tree.searches
    ]
    moves = [
        observe(reference.best_move, "best_move", tree, search).answer.path
        for search in tree.searches_for("best_move")
    ]
    has = {
        "MAX root": tree.maximizing,
        "MIN root": not tree.maximizing,
        "a tie that cuts off": any(ties(tree, steps) for _, steps in replays),
        "all values negative": max(values, default=0) < 0,
        "all values positive": min(values, default=0) > 0,
        "a zero": 0 in values,
        "a fraction": any(value != int(value) for value in values),
        "a value above 10,000": max(values, default=0) > 10_000,
        "a value below -10,000": min(values, default=0) < -10_000,
        "uneven depth": len({len(leaf.path) for leaf in leaves}) > 1,
        "a single child": any(len(position.children) == 1 for position in positions),
        "a deep cutoff": any(cuts_off_far_below(steps) for _, steps in replays),
        "a depth limit over static values": any(
            step.kind == LEAF and not tree.root.at(step.path).terminal
            for _, steps in replays
            for step in steps
        ),
        "a narrow window": not all(search.full_window for search in tree.searches),
        "a best move that is not the first": any(path != (0,) for path in moves),
    }
    return {name for name, holds in has.items() if holds}


def lesson_of(tree, properties, lessons, convention="equality"):
    """Return a lesson that is not in `lessons`, and add it to them.

    It begins with what cuts off, and goes on with what is special about the search,
    the shape and the values until no other tree has it.
    """
    parts = [cutoffs(tree, convention)]
    parts += [phrase for name, phrase in PHRASES.items() if name in properties]
    parts.append("MAX to move" if tree.maximizing else "MIN to move")
    lesson = next(
        lesson
        for lesson in _wordings(parts)
        if lesson not in lessons and len(lesson) <= MOST_LETTERS
    )
    lessons.add(lesson)
    return lesson


def _wordings(parts):
    """Yield the first part with more and more of the others, then with numbers."""
    for size in range(1, len(parts)):
        for extra in parts[size:]:
            yield ", ".join([*parts[:size], extra])
    for index in itertools.count(2):
        yield f"{parts[0]}, {parts[-1]}, case {index}"


def cutoffs(tree, convention="equality"):
    """Return in words what the first search cuts off, if anything."""
    search = tree.searches[0]
    steps = replay(tree, search, convention)
    tied = ties(tree, steps)
    players = {
        search.max_moves_at(step.path)
        for step in [*tied, *(step for step in steps if step.kind == CUTOFF)]
    }
    if not players:
        return "nothing can be cut off"
    what = TIES[convention] if tied else "a cutoff"
    if len(players) == 2:
        return f"{what} for both players"
    return f"{what} at {'MAX' if players == {True} else 'MIN'}"
