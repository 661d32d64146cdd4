"""How well a set catches mistakes that nobody listed is measured, not hoped for."""

import random
from collections import Counter, namedtuple

from autograder.workbench.generate import Pool
from autograder.workbench.holdout import caught

Mistake = namedtuple("Mistake", "name")
NAMES = [f"m{number}" for number in range(8)]
MISTAKES = [Mistake(name) for name in NAMES]


def pool_of(kills):
    """Return a Pool of equally large trees; `kills` is tree -> names of mistakes."""
    return Pool(
        trees=dict.fromkeys(kills),
        sizes=dict.fromkeys(kills, 10),
        properties={tree: set() for tree in kills},
        kills={tree: Counter(names) for tree, names in kills.items()},
        given=Counter(),
    )


def test_one_tree_that_kills_all_catches_every_unseen_mistake():
    pool = pool_of({"all": NAMES, "none": []})
    assert caught(pool, MISTAKES, 5, random.Random(1)) == (4, 4)


def test_trees_that_kill_one_mistake_each_catch_only_what_the_choice_saw():
    pool = pool_of({f"t{name}": [name] for name in NAMES})
    assert caught(pool, MISTAKES, 4, random.Random(1)) == (0, 4)


def test_a_mistake_that_no_tree_kills_is_not_counted():
    pool = pool_of({"some": NAMES[:2]})
    got, of = caught(pool, MISTAKES, 5, random.Random(1))
    assert got == of <= 2
