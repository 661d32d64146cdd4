"""What a set of trees shows, whether it is fit to grade with, and what a tree is about."""

from __future__ import annotations

import itertools
import math
import re

from autograder.judging.concepts import cuts_off_far_below
from autograder.judging.divergence import CUTOFF, LEAF, replay, ties
from autograder.smalltrees.build import described, lists_of, written
from autograder.smalltrees.telling import (
    DIGITS,
    HAIR,
    MOST,
    MOST_CHILDREN,
    MOST_DEPTH,
    MOST_PLIES,
    MOST_VISITS,
    ODD,
)
from autograder.tasks import EQUALITY, tasks_for
from gametree import Position, observe
from gametree.games import GamePosition
from gametree.proof import intervals

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
# property -> what closes it where a set leaves it open: bugs hide at the edges
EDGES = {
    "a value just below 10^9": "a best value such as 999999999",
    "a value just above -10^9": "a best value such as -999999999",
    "a difference of 10^-6": "two values such as 0.5 and 0.500001, of which one decides",
    "nine children": "a node with nine children, the last of which matter",
    "twelve plies": "a line of twelve plies, such as one side leaf at each",
    "a depth of 30": "`depth: 30` on a small tree",
    "a hundred visits": "a search that looks at a hundred nodes or more",
    "a bound of 0": "a window such as {alpha: 0}",
    "one open side": "a search with `alpha:` or `beta:` alone",
    "a leaf as the root, with a window": "`tree: 5` with `alpha: 4` and `beta: 6`",
    "no depth, with a window": "`depth: 0` with `alpha:` and `beta:` on a larger tree",
    "a shallow search in a window": "`depth: 1` with both bounds, on a deeper tree",
    "the other player": "a search with `player:`, the root's other one",
    "a narrow search first": "a search with a window before the full one",
    "an int that equals a float": "values such as 2 and 2.0 on the two sides of a tie",
    "a quick and a slow win": "equal moves of different length, such as [[[3]], 3]",
}
# property -> what makes a set read like a course's where it lacks it
VARIETY = {
    "a game": "`game: {name: nim, heaps: [1, 2, 2]}`, say",
    "two leaves": "a tree of two leaves",
    "two hundred leaves": "`random: {branching: 3, depth: 5, ...}`, say",
}
CUTS = "something is cut off"
# What a tree shows that is worth a number which people take for "no value yet".
ODD_VALUES = {
    f"{number} is best for {player}": (player, number)
    for player in ("MAX", "MIN")
    for number in ODD
}
# property -> its words in a lesson, in the order in which they are worth saying
PHRASES = {
    "nine children": "nine children",
    "twelve plies": "twelve plies",
    "a depth of 30": "a depth of 30",
    "a difference of 10^-6": "tiny differences",
    "a value just below 10^9": "gains near a billion",
    "a value just above -10^9": "losses near a billion",
    "a hundred visits": "a long search",
    "a leaf as the root, with a window": "a root that is a leaf",
    "no depth, with a window": "no ply at all",
    "an int that equals a float": "2 and 2.0 are equal",
    "a quick and a slow win": "quick and slow wins",
    "a bound of 0": "a bound of zero",
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


def lint(public, hidden, reference):
    """Yield one line for each thing to mend in the sets, with what to do."""
    trees = [*public, *hidden]
    for tree in trees:
        if not tree.lesson:
            yield f"{tree.name}: it has no lesson; write `lesson:` and what it is about"
    for key in ("title", "lesson"):
        with_text = [tree for tree in trees if getattr(tree, key)]
        for tree, first in _repeats(with_text, lambda tree, key=key: getattr(tree, key)):
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
        yield from beyond_limits(tree, reference)


def lacking(hidden, reference):
    """Yield one line for each property that a set is to show and does not, with a cure."""
    shown = set().union(*(properties_of(tree, reference) for tree in hidden))
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def left_open(hidden, reference):
    """Yield one line for each edge that no hidden tree goes to, with what to add."""
    shown = set().union(*(properties_of(tree, reference) for tree in hidden))
    for name, advice in {**EDGES, **VARIETY}.items():
        if name not in shown:
            yield f"{name}: add {advice}"
    for player in ("MAX", "MIN"):
        odd = [n for name, (who, n) in ODD_VALUES.items() if who == player]
        lacking = [n for n in odd if f"{n} is best for {player}" not in shown]
        if lacking:
            numbers = ", ".join(map(str, lacking))
            yield f"a value of {numbers} for {player}: add one, before worse moves"


def beyond_limits(tree, reference):
    """Yield one line for each thing that the rules do not let a tree hold."""
    positions = list(itertools.islice(tree.root.subtree(), MOST_WALKED))
    bounds = {bound for search in tree.searches for bound in (search.alpha, search.beta)}
    numbers = {position.value for position in positions if position.value is not None}
    numbers = sorted(numbers | {bound for bound in bounds if math.isfinite(bound)})
    for number in numbers:
        if abs(number) > MOST or round(number, DIGITS) != number:
            yield f"{tree.name}: {number} is beyond {MOST}, or has over {DIGITS} decimals"
    for one, other in zip(numbers, numbers[1:]):
        if other - one < 0.99 * HAIR or math.isclose(one, other):
            yield f"{tree.name}: {one} and {other} are too close to tell apart; change one"
    for what, most, largest in (
        ("children", MOST_CHILDREN, max(len(each.children) for each in positions)),
        ("plies", MOST_PLIES, tree.root.height),
        ("plies of depth", MOST_DEPTH, max(search.depth for search in tree.searches)),
        ("visits", MOST_VISITS, max(_visits(tree, reference), default=0)),
    ):
        if largest > most:
            yield f"{tree.name}: {largest} {what}, and {most} is the most; make it smaller"


def _visits(tree, reference):
    for task in tasks_for([tree], reference):
        yield task.expected.node_count


def kind_of(tree, properties, convention=EQUALITY):
    """Return what two trees have in common that teach the same on the same shape."""
    shape = re.sub(r"[^][]+", " ", written(lists_of(tree.root)))
    return shape, tree.maximizing, cutoffs(tree, convention), frozenset(properties)


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
    """Return the names of the properties in REQUIRED, EDGES, VARIETY that the tree has.

    And CUTS, if a search of it leaves anything out.

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
        **_edges(tree, positions, values, reference),
        "a game": isinstance(tree.root, GamePosition),
        "two leaves": len(leaves) == 2,
        "two hundred leaves": len(leaves) >= 200,
        CUTS: any(step.kind == CUTOFF for _, steps in replays for step in steps),
    }
    return {name for name, holds in has.items() if holds} | _odd_values(tree, reference)


def _odd_values(tree, reference):
    """Return those of ODD_VALUES that the tree has, where there is a choice of moves."""
    answers = {
        (task.search.maximizing, task.expected.answer.number)
        for task in tasks_for([tree], reference)
        if task.search.full_window and len(tree.root.children) > 1
    }
    return {
        name
        for name, (player, number) in ODD_VALUES.items()
        if (player == "MAX", number) in answers
    }


def _edges(tree, positions, values, reference):
    """Return each property in EDGES -> whether the tree has it."""
    tasks = tasks_for([tree], reference)
    answers = {task.expected.answer.number for task in tasks} - {None}
    visited = [tree.root.at(path) for task in tasks for path in task.expected.visited]
    known = sorted({position.static_value() for position in visited})
    windows = [not search.full_window for search in tree.searches]
    bounds = {bound for search in tree.searches for bound in (search.alpha, search.beta)}
    open_sides = [
        math.isinf(search.alpha) + math.isinf(search.beta) for search in tree.searches
    ]
    return {
        "a value just below 10^9": max(answers, default=0) > 0.99 * MOST,
        "a value just above -10^9": min(answers, default=0) < -0.99 * MOST,
        "a difference of 10^-6": any(b - a < 1.01 * HAIR for a, b in zip(known, known[1:])),
        "nine children": any(len(each.children) == MOST_CHILDREN for each in positions),
        "twelve plies": any(len(each.path) == MOST_PLIES for each in visited),
        "a depth of 30": any(search.depth == MOST_DEPTH for search in tree.searches),
        "a hundred visits": any(
            task.function == "alphabeta" and task.expected.node_count >= 100
            for task in tasks
        ),
        "a bound of 0": 0 in bounds,
        "one open side": 1 in open_sides,
        "a leaf as the root, with a window": tree.root.terminal and 0 in open_sides,
        "no depth, with a window": not tree.root.terminal
        and any(search.depth == 0 and not search.full_window for search in tree.searches),
        "a shallow search in a window": any(
            0 < search.depth < tree.root.height and open == 0
            for search, open in zip(tree.searches, open_sides)
        ),
        "the other player": any(s.maximizing != tree.maximizing for s in tree.searches),
        "a narrow search first": windows[0] and not all(windows),
        "an int that equals a float": len(set(values))
        < len({(type(v), v) for v in values}),
        "a quick and a slow win": _wins_differ_in_length(tree, tasks),
    }


def _wins_differ_in_length(tree, tasks):
    """Tell whether of two equally good moves one ends the game at once, the other not."""
    for task in tasks:
        if task.function == "best_move":
            paths = {child.path for child in tree.root.children}
            ends = intervals(tree, task.search, task.expected.visited)
            best = ends[task.expected.answer.path]
            equal = [path for path in paths if ends[path] == best]
            if len({tree.root.at(path).terminal for path in equal}) == 2:
                return True
    return False


def lesson_of(tree, properties, lessons, convention=EQUALITY):
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


def title_of(tree, titles):
    """Return a title that is not in `titles`, and add it to them."""
    player, leaves = "MAX" if tree.maximizing else "MIN", leaves_below(tree.root)
    counts = ((leaves, "leaf", "leaves"), (tree.root.height, "ply", "plies"))
    size = ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts)
    plain = f"{player} moves first: {size}"
    numbered = (f"{plain}, no. {number}" for number in itertools.count(2))
    title = next(t for t in itertools.chain([plain], numbered) if t not in titles)
    titles.add(title)
    return title


def _wordings(parts):
    """Yield the first part with more and more of the others, then with numbers."""
    for size in range(1, len(parts)):
        for extra in parts[size:]:
            yield ", ".join([*parts[:size], extra])
    for index in itertools.count(2):
        yield f"{parts[0]}, {parts[-1]}, case {index}"


def cutoffs(tree, convention=EQUALITY):
    """Return in words what the searches cut off, if anything."""
    players, tied = set(), False
    for search in tree.searches:
        steps = replay(tree, search, convention)
        here = ties(tree, steps)
        cuts = [*here, *(step for step in steps if step.kind == CUTOFF)]
        players |= {search.max_moves_at(step.path) for step in cuts}
        tied = tied or bool(here)
    if not players:
        return "nothing can be cut off"
    what = "a tie decides" if tied else "a cutoff"
    if len(players) == 2:
        return f"{what} for both players"
    return f"{what} at {'MAX' if players == {True} else 'MIN'}"
