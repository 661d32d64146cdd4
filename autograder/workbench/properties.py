"""Name the properties of trees that distinguish wrong programs from correct programs.

`make check` requires some properties of a set, with advice for each. `make trees` chooses
trees that together show as many properties as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograder.ground.files import load_data
from autograder.scoring.concepts import cuts_off_far_below
from autograder.scoring.steps import LEAF, LEAVE, UPDATE
from autograder.smalltrees.values import FAMILIAR_NUMBERS, MAGNITUDES, SENTINELS
from autograder.workbench.facts import Facts, player_of

# Values that programs may treat differently from others.
NOTABLE = {*SENTINELS, *FAMILIAR_NUMBERS, *MAGNITUDES}
REQUIRED = load_data("required.yaml", __file__)


def properties_of(facts: Facts) -> set[str]:
    """Return the names of the properties that a tree shows."""
    return {*_of_tree(facts), *_of_decisions(facts), *_of_moves(facts)}


def lacking(hidden: Iterable[Facts]) -> Iterator[str]:
    """Yield one line with advice for each required property that no tree shows."""
    shown = set()
    for facts in hidden:
        shown |= properties_of(facts)
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def _of_tree(facts):
    """Yield the properties of a tree's values, shape and searches."""
    if any(cuts_off_far_below(steps) for _, steps in facts.replays):
        yield "a deep cutoff"
    if any(task.ends_early for task in facts.tasks):
        yield "a depth limit over static values"
    if not all(search.full_window for search in facts.searches):
        yield "a narrow window"
    if len({len(leaf.path) for leaf in facts.leaves}) > 1:
        yield "uneven depth"
    if facts.root.terminal and any(search.depth for search in facts.searches):
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


def _of_decisions(facts):
    """Yield the properties that the decisions of alphabeta show."""
    for search, steps in facts.replays:
        values = {}  # path of a node that has returned -> its value
        for step in steps:
            if step.kind in (LEAF, LEAVE):
                values[step.path] = step.value
            if step.kind != UPDATE:
                continue
            player = search.player_at(step.path)
            children = facts.root.at(step.path).children
            left = len(children) - 1 - step.child_path[-1]
            if left and step.alpha == step.beta:
                yield "a tie that cuts off"
                yield f"a tie prunes {left} children of {player}"
                if step.value in NOTABLE:
                    yield f"a tie at the value {step.value:g}, for {player}"
            if not left and values[step.child_path] != step.value:
                yield f"a worse child for {player} at ply {len(step.path)}"


def _of_moves(facts):
    """Yield the depths of the searches for the best move."""
    for task in facts.tasks:
        if task.function == "best_move":
            yield f"a move at depth {task.search.depth}"
