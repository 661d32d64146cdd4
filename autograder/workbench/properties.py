"""Define the properties of trees that distinguish wrong programs from correct programs.

`make check` names the properties that a set of trees lacks, with advice for each required
property. `make trees` chooses trees by their properties, and writes the reasons for the
choice into each file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from autograder.judging.concepts import cuts_off_far_below
from autograder.smalltrees.values import (
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_VISITS,
    SENTINELS,
)
from autograder.workbench.facts import BEST, BETTER, CUT, OUTSIDE, SET, TIE, WORSE, Facts

PLAYERS = {"MAX": True, "MIN": False}
WANTED = 2  # the worth of an ordinary property
ESSENTIAL = 40  # the worth of a property that a fresh set should have if possible


class Property(NamedTuple):
    """A property that a tree may show.

    name: the name in the output of `make trees` and `make check`.
    test: returns whether a tree shows the property, given its Facts and the arguments.
    arguments: further arguments of the test, such as the player and a number.
    advice: the tree to add if a set lacks the property, or "" if it is optional.
    worth: the value of the property for a fresh set.
    """

    name: str
    test: Callable[..., bool]
    arguments: tuple = ()
    advice: str = ""
    worth: int = WANTED


PROPERTIES = []  # the most informative properties come first


def properties_of(facts: Facts) -> set[str]:
    """Return the names of the properties that a tree shows."""
    return {p.name for p in PROPERTIES if p.test(facts, *p.arguments)}


def not_shown(trees: Iterable[Facts]) -> list[Property]:
    """Return the properties that none of the trees shows."""
    shown = set()
    for facts in trees:
        shown |= properties_of(facts)
    return [missing for missing in PROPERTIES if missing.name not in shown]


def how_many_shown(trees: Iterable[Facts]) -> str:
    """Return a line with the number of properties that the trees show."""
    shown = len(PROPERTIES) - len(not_shown(trees))
    return f"{shown} of {len(PROPERTIES)} properties are shown"


def lacking(hidden: Iterable[Facts]) -> Iterator[str]:
    """Yield one line with advice for each required property that no tree shows."""
    for missing in not_shown(hidden):
        if missing.advice:
            yield f"no hidden tree shows {missing.name}: add {missing.advice}"


def _for_players(name, numbers=()):
    """Return a decorator that adds a property for each player {p} and each number {n}.

    The arguments of the test are a tree's Facts, whether the player is MAX, and the number.
    """

    def add(test):
        for player, maximizing in PLAYERS.items():
            if not numbers:
                PROPERTIES.append(Property(name.format(p=player), test, (maximizing,)))
            for number in numbers:
                full_name = name.format(p=player, n=number)
                PROPERTIES.append(Property(full_name, test, (maximizing, number)))
        return test

    return add


# Properties of Moments, for each player and number.


def _add_for_moments(name, kind, field, numbers):
    """Add properties: the tree has a Moment of the kind whose `field` is the number."""
    _for_players(name, numbers)(partial(_has_moment, kind, field))


def _has_moment(kind, field, facts, maximizing, number):
    moments = facts.moments(kind, maximizing)
    return any(getattr(moment, field) == number for moment in moments)


PLIES = range(MAX_PLIES)
CHILDREN = range(1, MAX_CHILDREN + 1)
DEPTHS = range(7, MAX_PLIES + 1)
_add_for_moments("a tie decides at {p}, ply {n}", TIE, "ply", PLIES[1:])
_add_for_moments("a bound that {p} sets at ply {n} cuts off", SET, "ply", PLIES[1:-2])
_add_for_moments("{p} is cut off after child {n}", TIE, "child", CHILDREN[:-1])
_add_for_moments(
    "the bound that child {n} of {p} sets cuts off", SET, "child", CHILDREN[:-2]
)
_add_for_moments("a tie prunes {n} children of {p}", TIE, "left", CHILDREN[:-2])
_add_for_moments("a tie at a node of {n} children, at {p}", TIE, "among", CHILDREN[1:])
_add_for_moments("a bound from {n} plies above cuts off {p}", TIE, "above", PLIES[1:-1:2])
_add_for_moments("a better child for {p} at ply {n}", BETTER, "ply", PLIES)
_add_for_moments(
    "all children so far are too bad for {p} at ply {n}", OUTSIDE, "ply", PLIES[:-2]
)
_add_for_moments("a worse child for {p} at ply {n}", WORSE, "ply", PLIES)
_add_for_moments("a tie at {p} with a depth of {n} left", TIE, "depth", DEPTHS)
_add_for_moments("a tie at {p} after {n} hundred visits", TIE, "hundreds", (1, 4))
_add_for_moments("a bound that differs by 10^-6 decides at {p}", CUT, "hair", (True,))


# Properties of Moves, for each player, and for each number if there are numbers.


def _for_moves(name, numbers=()):
    """Return a decorator that adds properties of best moves; the test takes a Move."""

    def add(test):
        _for_players(name, numbers)(partial(_has_move, test))
        return test

    return add


def _has_move(test, facts, maximizing, *number):
    moves = [move for move in facts.moves if move.maximizing == maximizing]
    return any(test(move, *number) for move in moves)


@_for_moves("{n} is best for {p}", SENTINELS)
def _is_worth(move, number):
    return move.value == number


@_for_moves("a better move after a win of {n}, for {p}", (10**6, 5 * 10**8))
def _follows_win(move, size):
    sign = 1 if move.maximizing else -1
    return any(sign * value >= size for value in move.earlier)


@_for_moves("a fraction of thousands is best for {p}")
def _is_large_fraction(move):
    return abs(move.value) > 1000 and move.value % 1


@_for_moves("the last of {n} moves is best for {p}", CHILDREN[1:])
def _is_last(move, count):
    return len(move.values) == count and move.best == count - 1


# Other properties for each player and number.


@_for_players("common initial values, at {p} ({n} of 9)", range(1, 10))
def _has_worse_than_numbers(facts, maximizing, part):
    numbers = {*FAMILIAR_NUMBERS[part - 1 :: 9], *SENTINELS}
    return facts.meets(numbers, WORSE, maximizing)


@_for_players("ties at many numbers, at {p} ({n} of 9)", range(1, 10))
def _has_ties_at_numbers(facts, maximizing, part):
    numbers = FAMILIAR_NUMBERS[part - 1 :: 9]
    return facts.meets(numbers, TIE, maximizing)


@_for_players("ties at many sizes, at {p} ({n} of 6)", range(1, 7))
def _has_ties_at_magnitudes(facts, maximizing, part):
    numbers = MAGNITUDES[part - 1 :: 6]
    return facts.meets(numbers, TIE, maximizing)


@_for_players("fractions tie at {p}, at ply {n} or below", (6, 10))
def _has_ties_at_fractions(facts, maximizing, ply):
    ties = facts.moments(TIE, maximizing)
    return any(tie.ply >= ply and tie.number % 1 for tie in ties)


@_for_players("child {n} of nine is best at {p}", CHILDREN)
def _has_best_of_nine(facts, maximizing, child):
    moments = facts.moments(BEST, maximizing)
    nine = [moment for moment in moments if moment.among == MAX_CHILDREN]
    return any(moment.child == child for moment in nine)


# Properties that a fresh set should have if possible.


def _essential(name, advice=""):
    """Return a decorator that adds a property. A property with advice is required."""

    def add(test):
        PROPERTIES.append(Property(name, test, advice=advice, worth=ESSENTIAL))
        return test

    return add


@_essential("twelve plies")
def _visits_last_ply(facts):
    return any(len(path) == MAX_PLIES for path in facts.visited)


@_essential("a depth of 30 on twelve plies")
def _searches_past_last_ply(facts):
    return _visits_last_ply(facts) and MAX_DEPTH in facts.depths


@_essential("a depth of 13 to 19")
def _searches_13_plies(facts):
    return any(13 <= move.depth < 20 for move in facts.moves)


@_essential("a depth of 20 to 29")
def _searches_20_plies(facts):
    return any(20 <= move.depth < 30 for move in facts.moves)


@_essential("a move at depth 11, over static values")
def _moves_at_depth_11(facts):
    depths = [move.depth for move in facts.moves]
    return facts.root.height == MAX_PLIES and MAX_PLIES - 1 in depths


@_essential("two hundred visits by minimax")
def _has_many_visits(facts):
    return facts.visits("minimax") >= 200


@_essential("five hundred visits")
def _has_most_visits(facts):
    return facts.visits("alphabeta") > MAX_VISITS - 5


@_essential("a leaf as the root")
def _searches_leaf(facts):
    plain = [search.depth for search in facts.searches if search.full_window]
    return facts.root.terminal and any(plain)


# Required properties: `make check` rejects a set without them.


@_essential(
    "a deep cutoff", "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]"
)
def _has_deep_cutoff(facts):
    return any(cuts_off_far_below(steps) for _, steps in facts.replays)


@_essential("a tie that cuts off", "a leaf equal to the bound, such as MAX [1, [1, 1]]")
def _has_tie(facts):
    return facts.moments(TIE, True) or facts.moments(TIE, False)


@_essential("a depth limit over static values", "a `depth:` that ends at interior nodes")
def _ends_at_interior_nodes(facts):
    return not all(facts.root.at(path).terminal for path in facts.visited)


@_essential("a narrow window", "a search with `alpha:` and `beta:`")
def _has_narrow_window(facts):
    return not all(search.full_window for search in facts.searches)


@_essential(
    "a best move that is not the first", "a tree whose best child is not the leftmost"
)
def _has_later_best_move(facts):
    return any(move.best for move in facts.moves)


@_essential("uneven depth", "a leaf beside a subtree, such as [1, [2, 3]]")
def _has_uneven_depth(facts):
    plies = {len(leaf.path) for leaf in facts.leaves}
    return len(plies) > 1


@_essential("a single child", "an interior node with one child, such as [1, [2]]")
def _has_single_child(facts):
    return any(len(node.children) == 1 for node in facts.positions)


@_essential("a fraction", "a value such as 2.5")
def _has_fraction(facts):
    return any(value != int(value) for value in facts.values)


@_essential("a value above 10,000", "a value such as 20000")
def _has_large_value(facts):
    return any(value > 10_000 for value in facts.values)


@_essential("a value below -10,000", "a value such as -20000")
def _has_large_negative_value(facts):
    return any(value < -10_000 for value in facts.values)


@_essential("all values negative", "a tree whose values are below zero")
def _is_negative(facts):
    return all(value < 0 for value in facts.values)


@_essential("all values positive", "a tree whose values are above zero")
def _is_positive(facts):
    return all(value > 0 for value in facts.values)


@_essential("a zero", "a tree with 0 among its values")
def _has_zero(facts):
    return 0 in facts.values


@_essential("MAX root", "a tree with `root: max`")
def _has_max_root(facts):
    return facts.tree.maximizing


@_essential("MIN root", "a tree with `root: min`")
def _has_min_root(facts):
    return not facts.tree.maximizing
