"""Choose a hidden set: few trees that between them kill every mistake often enough."""

from __future__ import annotations

from collections import Counter

from autograder.workbench.killmatrix import WANTED


def choose(kills, sizes, count, properties=None, given=None, wanted=WANTED):
    """Return the chosen tree names, at most `count`, best first.

    `kills` maps tree -> Counter of mistake -> rows that kill it; `sizes` maps
    tree -> looks that the reference needs; `properties` maps tree -> set of what
    it shows; `given` is a Counter of kills that stand already. A mistake that few
    trees kill weighs more; every property is wanted once, every kill up to
    `wanted` times, beyond that less and less. A large tree has to earn its size.
    """
    properties = properties or {}
    killers = Counter(name for found in kills.values() for name in found)
    rarity = {name: 1 + 20 / times for name, times in killers.items()}
    have, shown, chosen = Counter(given or {}), set(), []
    left = sorted(kills)

    def worth(tree):
        gain = 50 * len(properties.get(tree, set()) - shown)
        for name, rows in kills[tree].items():
            missing = wanted - have[name]
            if missing > 0:
                gain += rarity[name] * min(rows, missing)
            else:
                gain += 0.1 * rows / (1 + have[name])
        return gain / (40 + sizes[tree]), tree

    while left and len(chosen) < count:
        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
        have.update(kills[best])
        shown |= properties.get(best, set())
    return chosen


def shortfalls(kills, chosen, wanted=WANTED, given=None):
    """Return mistake -> (rows that kill it, rows that could), where fewer than wanted."""
    able, have = Counter(), Counter(given or {})
    for tree, found in kills.items():
        able.update(found)
        if tree in chosen:
            have.update(found)
    able.update(given or {})
    short = {name: (have[name], times) for name, times in able.items()}
    return {name: pair for name, pair in short.items() if pair[0] < min(wanted, pair[1])}
