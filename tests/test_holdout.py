"""How well a set catches mistakes that nobody listed is measured, not hoped for."""

import random
from collections import Counter
from types import SimpleNamespace

from helpers import ROOT

from autograder.mistakes.variants import load_variants
from autograder.workbench import generate, holdout
from autograder.workbench.generate import Pool
from autograder.workbench.holdout import caught

NAMES = [f"m{number}" for number in range(8)]


def pool_of(kills):
    """Return a Pool of equally large trees; `kills` is tree -> names of mistakes."""
    return Pool(
        convention="equality",
        trees=dict.fromkeys(kills),
        sizes=dict.fromkeys(kills, 10),
        properties={tree: set() for tree in kills},
        kills={tree: Counter(names) for tree, names in kills.items()},
        given=Counter(dict.fromkeys(NAMES, 0)),
    )


def test_one_tree_that_kills_all_catches_every_unseen_mistake():
    pool = pool_of({"all": NAMES, "none": []})
    assert caught(pool, 5, random.Random(1)) == (4, 4)


def test_trees_that_kill_one_mistake_each_catch_only_what_the_choice_saw():
    pool = pool_of({f"t{name}": [name] for name in NAMES})
    assert caught(pool, 4, random.Random(1)) == (0, 4)


def test_a_mistake_that_no_tree_kills_is_not_counted():
    pool = pool_of({"some": NAMES[:2]})
    got, of = caught(pool, 5, random.Random(1))
    assert got == of <= 2


def test_a_strict_course_is_measured_by_its_own_cutoffs(monkeypatch, capsys):
    read = []

    def few(folder, convention):
        read.append(convention)
        return load_variants(ROOT / "solution" / "mistakes", convention)[:4]

    monkeypatch.setattr(generate, "load_rubric", lambda _: SimpleNamespace(cutoff="strict"))
    monkeypatch.setattr(generate, "load_variants", few)
    monkeypatch.setattr(generate, "POOL", 30)
    pools = []
    monkeypatch.setattr(holdout, "caught", lambda pool, *_: pools.append(pool) or (1, 1))
    assert holdout.main(["--splits", "1"]) == 0
    assert read == [pools[0].convention] == ["strict"]
    assert "together: 100.0%" in capsys.readouterr().out
