"""Name the properties of trees that distinguish wrong programs from correct programs.

`make check` requires some properties of a set, with advice for each. `make trees` chooses
trees that together show as many properties as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograder.judging.concepts import cuts_off_far_below
from autograder.smalltrees.values import FAMILIAR_NUMBERS, MAGNITUDES, SENTINELS
from autograder.workbench.facts import (
    BEST,
    BETTER,
    SET,
    TIE,
    WORSE,
    Facts,
    player_of,
)
from gametree.functions import FUNCTIONS

# Values that programs may treat differently from others.
NOTABLE = {*SENTINELS, *FAMILIAR_NUMBERS, *MAGNITUDES}
# A required property -> the tree to add if a set lacks it.
REQUIRED = {
    "a deep cutoff": "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]",
    "a tie that cuts off": "a leaf equal to the bound, such as MAX [1, [1, 1]]",
    "a depth limit over static values": "a `depth:` that ends at interior nodes",
    "a narrow window": "a search with `alpha:` and `beta:`",
    "a best move that is not the first": "a tree whose best child is not the leftmost",
    "uneven depth": "a leaf beside a subtree, such as [1, [2, 3]]",
    "a leaf as the root": "a tree that is a number, such as `tree: 3`",
    "a single child": "an interior node with one child, such as [1, [2]]",
    "a fraction": "a value such as 2.5",
    "a value above 10,000": "a value such as 20000",
    "a value below -10,000": "a value such as -20000",
    "all values negative": "a tree whose values are below zero",
    "all values positive": "a tree whose values are above zero",
    "a zero": "a tree with 0 among its values",
    "MAX root": "a tree with `root: max`",
    "MIN root": "a tree with `root: min`",
}
# The kind of a Moment -> the properties that such a Moment shows.
SHOWN_BY = {
    TIE: (
        "a tie decides at {0.player}, ply {0.ply}",
        "{0.player} is cut off after child {0.child}",
        "a tie prunes {0.left} children of {0.player}",
        "a tie at a node of {0.among} children, at {0.player}",
        "a bound from {0.setter} cuts off {0.player}",
        "a tie at {0.player} with a depth of {0.depth} left",
        "a tie at {0.player} after {0.hundreds} hundred visits",
    ),
    SET: (
        "a bound that {0.player} sets at ply {0.ply} cuts off",
        "the bound that child {0.child} of {0.player} sets cuts off",
    ),
    BETTER: ("a better child for {0.player} at ply {0.ply}",),
    WORSE: ("a worse child for {0.player} at ply {0.ply}",),
    BEST: ("child {0.child} of {0.among} is best at {0.player}",),
}
# The kind of a Moment -> the property of a Moment whose number is notable.
AT_VALUE = {
    TIE: "a tie at the value {0.number:g}, for {0.player}",
    WORSE: "a child worse than the value {0.number:g}, for {0.player}",
}


def properties_of(facts: Facts) -> set[str]:
    """Return the names of the properties that a tree shows."""
    return {*_required(facts), *_of_moments(facts), *_of_searches(facts)}


def lacking(hidden: Iterable[Facts]) -> Iterator[str]:
    """Yield one line with advice for each required property that no tree shows."""
    shown = set()
    for facts in hidden:
        shown.update(_required(facts))
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def _required(facts):
    """Yield the required properties that a tree shows."""
    if any(cuts_off_far_below(steps) for _, steps in facts.replays):
        yield "a deep cutoff"
    if any(moment.kind == TIE for moment in facts.moments):
        yield "a tie that cuts off"
    if not all(facts.root.at(path).terminal for path in facts.visited):
        yield "a depth limit over static values"
    if not all(search.full_window for search in facts.searches):
        yield "a narrow window"
    if any(move.best for move in facts.moves):
        yield "a best move that is not the first"
    if len({len(leaf.path) for leaf in facts.leaves}) > 1:
        yield "uneven depth"
    if facts.root.terminal and max(facts.depths) > 0:
        yield "a leaf as the root"
    if any(len(node.children) == 1 for node in facts.positions):
        yield "a single child"
    if any(value != int(value) for value in facts.values):
        yield "a fraction"
    highest = max(facts.values)
    lowest = min(facts.values)
    if highest > 10_000:
        yield "a value above 10,000"
    if lowest < -10_000:
        yield "a value below -10,000"
    if highest < 0:
        yield "all values negative"
    if lowest > 0:
        yield "all values positive"
    if 0 in facts.values:
        yield "a zero"
    yield f"{player_of(facts.tree)} root"


def _of_moments(facts):
    """Yield the properties that the decisions of alphabeta show."""
    for moment in facts.moments:
        for name in SHOWN_BY[moment.kind]:
            yield name.format(moment)
        if moment.kind in AT_VALUE and moment.number in NOTABLE:
            yield AT_VALUE[moment.kind].format(moment)


def _of_searches(facts):
    """Yield the properties that the moves and the sizes of searches show."""
    for move in facts.moves:
        yield f"a move at depth {move.depth}"
        yield f"move {move.best + 1} of {len(move.values)} is best for {move.player}"
        if move.value in NOTABLE:
            yield f"{move.value:g} is best for {move.player}"
    for path in facts.visited:
        yield f"a leaf at ply {len(path)}"
    for function in FUNCTIONS:
        yield f"{facts.visits(function) // 100} hundred visits by {function}"
