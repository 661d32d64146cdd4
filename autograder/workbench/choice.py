"""Choose few trees out of many, so that the grade hardly depends on which they are.

A set is good if every known mistake loses on it what it loses on average over the
whole pool, if each program that says what it may earn earns that, and if there is
enough of everything. One tree is exchanged for another as long as that makes it better.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import or_

from autograder.judging.concepts import PUBLIC
from autograder.workbench.killmatrix import ENOUGH
from autograder.workbench.treesets import CUTS, EDGES, ODD_VALUES, VARIETY

TOTAL = 100  # points
STEPS = 60_000  # exchanges that are tried
FEWEST = 5  # trees of each concept of a function
TELLING = 0.4  # of the trees of a set, at most
# In squared points: a tree that a concept lacks, for each point of the concept; a tree
# that a mistake lacks; a property that is shown; a tree too many without a cutoff. A
# point counts more where a program says what it may earn, most so outside of that.
TREE_MISSING, KILL_MISSING, PROPERTY_SHOWN, UNCUT = 300, 2000, 200, 1000
VARIED = 20_000  # squared points, of a property that makes a set read like a course's
MOST_UNCUT = 0.2  # of the trees of a set, without a cutoff
RANGE, OUTSIDE = 25, 50_000
FAR = 0.7  # points; beyond it, a program is too far from its aim
QUERY = 0.01  # what a query of the reference costs
EDGE = 8  # what an edge is worth, in conditional mutants; two odd values are worth one
CALL = 100  # queries that a tree costs whatever its size
MARGIN = 3  # points that a program's aim keeps from the ends of its range, if it can

Group = tuple[str, str]  # function, concept
Losses = dict[Group, list[float]]  # of each program the part of the points, 0 to 1


@dataclass(frozen=True)
class Pool:
    """Candidate trees and what is known of each, by name, under a cutoff convention.

    `sizes` maps a tree to the queries that the reference needs, `properties` to the set
    of what it shows, `losses` to what it costs each of the `programs`, and a telling tree
    in `bugs` to the conditional mutants that it catches. `staying` are the losses on the
    trees that are there anyway, `shown` what those show. `points` maps a group to what it
    is worth, `ranges` a program to the fewest and most points that it may earn.
    """

    convention: str
    trees: dict
    sizes: dict[str, int]
    properties: dict[str, set[str]]
    programs: tuple[str, ...]
    losses: dict[str, Losses]
    staying: tuple[Losses, ...]
    points: dict[Group, float]
    ranges: dict[str, tuple[float, float]]
    bugs: dict[str, set[str]] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()

    def of(self, names: Collection[str]) -> Pool:
        """Return the pool as it is where only these programs are known."""
        places = [n for n, name in enumerate(self.programs) if name in names]

        def cut(losses):
            return {group: [parts[n] for n in places] for group, parts in losses.items()}

        return replace(
            self,
            programs=tuple(self.programs[n] for n in places),
            losses={tree: cut(losses) for tree, losses in self.losses.items()},
            staying=tuple(map(cut, self.staying)),
            ranges={n: ends for n, ends in self.ranges.items() if n in names},
        )

    @cached_property
    def kills(self) -> dict[str, list[int]]:
        """Tree -> 1 for each program that loses points on it, else 0."""
        return {tree: self.killed(losses) for tree, losses in self.losses.items()}

    @cached_property
    def kills_given(self) -> list[int]:
        """How many hidden trees that stay each program loses points on."""
        return _sums(len(self.programs), map(self.killed, self.staying))

    def killed(self, losses: Losses) -> list[int]:
        """Return 1 for each program that loses points on a hidden tree, else 0."""
        killed = [0] * len(self.programs)
        for (function, concept), parts in losses.items():
            if concept != PUBLIC and self.points[function, concept]:
                killed = [int(b or part > 0) for b, part in zip(killed, parts)]
        return killed

    @cached_property
    def caught(self) -> dict[str, int]:
        """Tree -> the conditional mutants that it catches, as bits."""
        names = sorted(set().union(*self.bugs.values()))
        bit = {name: 1 << place for place, name in enumerate(names)}
        caught = {tree: sum(map(bit.get, found)) for tree, found in self.bugs.items()}
        return {tree: caught.get(tree, 0) for tree in self.losses}

    @cached_property
    def means(self) -> Losses:
        """What each group costs each program, on average over the pool."""
        means = {}
        for group in self.points:
            of_group = [each[group] for each in self.losses.values() if group in each]
            of_group = of_group or [each[group] for each in self.staying if group in each]
            total = _sums(len(self.programs), of_group)
            means[group] = [part / max(1, len(of_group)) for part in total]
        return means


def _far(square):
    """Return what a distance costs, of its square: one that is large, more than many."""
    return square + (square / FAR) ** 2


def _sums(length, lists):
    """Return the sums of lists of one length, place by place."""
    total = [0] * length
    for each in lists:
        total = [one + other for one, other in zip(total, each)]
    return total


class Choice:
    """A set of trees, and what it makes of every program's points."""

    def __init__(self, pool: Pool, chosen: Collection[str], wanted: int = ENOUGH):
        programs = len(pool.programs)
        self.pool, self.chosen = pool, list(chosen)
        able = _sums(programs, [pool.kills_given, *pool.kills.values()])
        self.wanted = [min(wanted, most) for most in able]
        self.kills = _sums(programs, [pool.kills_given, *map(pool.kills.get, chosen)])
        self.size = sum(map(pool.sizes.get, chosen))
        self.sums = {group: [0.0] * programs for group in pool.points}
        self.trees = dict.fromkeys(pool.points, 0)
        self.lost = [0.0] * programs  # points
        self.aims = [self._aim(place) for place in range(programs)]
        self.weights = [RANGE if name in pool.ranges else 1 for name in pool.programs]
        for losses in (*pool.staying, *map(pool.losses.get, chosen)):
            self._count(losses, 1)

    def _aim(self, place):
        """Return the points that a program is to lose: as over the pool, in its range."""
        pool, name = self.pool, self.pool.programs[place]
        aim = sum(pool.points[group] * parts[place] for group, parts in pool.means.items())
        if name in pool.ranges:
            least, most = pool.ranges[name]
            margin = min(MARGIN, (most - least) / 3)
            aim = min(max(aim, TOTAL - most + margin), TOTAL - least - margin)
        return aim

    def _count(self, losses, sign):
        """Count what a tree costs, or with -1 as a sign, count it no more."""
        for group, parts in losses.items():
            before, trees = self.sums[group], self.trees[group]
            after = [a + sign * b for a, b in zip(before, parts)]
            self.sums[group], self.trees[group] = after, trees + sign
            was = self.pool.points[group] / max(1, trees)
            now = self.pool.points[group] / max(1, trees + sign)
            self.lost = [
                lost - was * a + now * b for lost, a, b in zip(self.lost, before, after)
            ]

    def exchanged(self, old: str, new: str) -> Choice:
        """Return the choice with the tree `new` in the place of `old`."""
        pool, other = self.pool, copy(self)
        other.chosen = [new if name == old else name for name in self.chosen]
        other.size += pool.sizes[new] - pool.sizes[old]
        changes = zip(self.kills, pool.kills[old], pool.kills[new])
        other.kills = [have - less + more for have, less, more in changes]
        other.sums, other.trees = dict(self.sums), dict(self.trees)
        other._count(pool.losses[old], -1)
        other._count(pool.losses[new], 1)
        return other

    @property
    def faults(self) -> float:
        """How bad the set is, in squared points."""
        beside = zip(self.weights, self.lost, self.aims)
        outside = (self._outside(name) for name in self.pool.ranges)
        short = (max(0, most - have) for most, have in zip(self.wanted, self.kills))
        few = (
            self.pool.points[group] * max(0, FEWEST - number) ** 2
            for group, number in self.trees.items()
            if group[1] != PUBLIC
        )
        shown = self.pool.shown.union(*map(self.pool.properties.get, self.chosen))
        uncut = sum(CUTS not in self.pool.properties[name] for name in self.chosen)
        return (
            sum(weight * _far((lost - aim) ** 2) for weight, lost, aim in beside)
            + OUTSIDE * sum(points + points**2 for points in outside)
            + KILL_MISSING * sum(short)
            + TREE_MISSING * sum(few)
            + UNCUT * max(0, uncut - int(MOST_UNCUT * len(self.chosen))) ** 2
            - PROPERTY_SHOWN * len(shown)
            - VARIED * len(shown & VARIETY.keys())
            + QUERY * self.size
        )

    def _outside(self, name):
        """Return by how many points a program is outside of what it may earn."""
        least, most = self.pool.ranges[name]
        earned = TOTAL - self.lost[self.pool.programs.index(name)]
        return max(least - earned, earned - most, 0)

    def shortfalls(self) -> dict[str, tuple[int, int]]:
        """Return program -> (trees that kill it, trees wanted), where there are too few."""
        trees = zip(self.pool.programs, self.kills, self.wanted)
        return {name: (have, most) for name, have, most in trees if have < most}

    @property
    def escapes(self) -> tuple[int, int]:
        """How many conditional mutants that a tree of the pool catches escape, of all."""
        every = reduce(or_, self.pool.caught.values(), 0)
        caught = reduce(or_, map(self.pool.caught.get, self.chosen), 0)
        return (every & ~caught).bit_count(), every.bit_count()

    def earned(self) -> dict[str, float]:
        """Return program -> the points that it earns on the set."""
        return {n: TOTAL - lost for n, lost in zip(self.pool.programs, self.lost)}


def _telling(pool, names, count):
    """Return at most `count` names of trees that go to all edges, and catch what hides."""
    telling, caught, shown = [], 0, set(pool.shown)

    def worth(name):
        new = pool.properties[name] - shown
        edges = len(new & EDGES.keys()) + len(new & ODD_VALUES.keys()) / 2
        return (pool.caught[name] & ~caught).bit_count() + EDGE * edges

    while len(telling) < count:
        best = max(names, key=lambda name: worth(name) / (CALL + pool.sizes[name]))
        if not worth(best):
            break
        telling.append(best)
        caught |= pool.caught[best]
        shown |= pool.properties[best]
    return telling


def _rare_first(pool, names):
    """Return the names, first those that kill the mistakes that few trees kill.

    Each mistake has killers enough, as far as there are any, before the next is asked.
    """
    none = Choice(pool, ())
    killers = [[n for n in names if pool.kills[n][p]] for p in range(len(pool.programs))]
    first, have = [], none.kills
    for place in sorted(range(len(killers)), key=lambda place: len(killers[place])):
        for name in killers[place]:
            if have[place] < none.wanted[place] and name not in first:
                first.append(name)
                have = [a + b for a, b in zip(have, pool.kills[name])]
    return first + [name for name in names if name not in first]


def choose(pool: Pool, count: int, seed: int = 0, steps: int = STEPS) -> Choice:
    """Return a choice of `count` trees, or of all there are: the same for the same seed.

    Those that close the most holes are taken first; among the others it is searched.
    """
    rng, names = random.Random(seed), sorted(pool.losses)
    rng.shuffle(names)
    telling = _telling(pool, names, round(TELLING * count))
    plain = [n for n in names if n not in pool.bugs or pool.properties[n] & VARIETY.keys()]
    names = [name for name in _rare_first(pool, plain) if name not in telling]
    begin = names[: count - len(telling)]
    best = Choice(pool, telling + begin)
    faults = best.faults
    for _ in range(steps if len(names) > len(begin) else 0):
        old, new = rng.choice(best.chosen), rng.choice(names)
        if old in telling:
            continue
        if new not in best.chosen:
            other = best.exchanged(old, new)
            if other.faults < faults:
                best, faults = other, other.faults
    return best
