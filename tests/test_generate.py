"""A fresh hidden set: the same for the same seed, fit to be graded with, never half.

How well it catches mistakes that nobody listed is measured by `make holdout`.
"""

import contextlib
import os
import random
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import ROOT

import autograder.kit
from autograder.command import Refused
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.smalltrees.build import dump_tree
from autograder.utilities import replace_folder
from autograder.workbench import generate, holdout
from autograder.workbench.generate import Pool, candidates, choose, shortfalls
from autograder.workbench.treesets import content_of
from gametree import load_trees, parse_tree

SOME = ("no_cutoff", "strict_cutoff", "strict_cutoff_at_min", "keeps_last_score")


@pytest.fixture
def quick(monkeypatch):
    """Generate from few candidates and few mistakes."""
    mistakes = load_variants(ROOT / "solution" / "mistakes")
    few = [mistake for mistake in mistakes if mistake.name in SOME]
    monkeypatch.setattr(generate, "load_variants", lambda *_: few)
    monkeypatch.setattr(generate, "POOL", 60)


def make(folder, *more):
    return generate.main(["--seed", "3", "--count", "6", "--out", str(folder), *more])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_seed_gives_the_same_files_byte_for_byte(quick, tmp_path):
    assert make(tmp_path / "a") == make(tmp_path / "b") == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(contents(tmp_path / "a")) == 6


def test_another_seed_gives_another_set(quick, tmp_path):
    make(tmp_path / "a")
    generate.main(["--seed", "4", "--count", "6", "--out", str(tmp_path / "b")])
    assert contents(tmp_path / "a") != contents(tmp_path / "b")


def test_a_set_is_never_overwritten_without_force(quick, tmp_path, capsys):
    make(tmp_path / "a")
    before = contents(tmp_path / "a")
    assert make(tmp_path / "a", "--seed", "5") == 2
    assert "FORCE=1" in capsys.readouterr().err
    assert contents(tmp_path / "a") == before
    assert make(tmp_path / "a", "--seed", "5", "--force") == 0
    assert contents(tmp_path / "a") != before


def test_a_tree_that_names_its_source_stays_as_it_is(quick, tmp_path):
    folder = tmp_path / "a"
    folder.mkdir()
    text = "title: Own\nlesson: own\nsource: a book\nroot: max\ntree: [1, 2]  # mine\n"
    (folder / "own.yaml").write_text(text)
    assert make(folder) == 0
    assert (folder / "own.yaml").read_text() == text
    assert len(contents(folder)) == 7


class Killed(BaseException):
    """The process is gone: nothing after this happens."""


@pytest.mark.parametrize("steps", range(9))
def test_a_set_that_is_replaced_is_the_old_or_the_new_one_at_every_step(
    tmp_path, monkeypatch, steps
):
    folder, old, new = tmp_path / "trees" / "hidden", {"a": b"old"}, {"a": b"1", "b": b"2"}
    (tmp_path / "trees" / "public").mkdir(parents=True)
    replace_folder(folder, old)
    left = iter(range(steps))

    def until_killed(function):
        def step(*arguments, **options):
            if next(left, None) is None:
                raise Killed
            return function(*arguments, **options)

        return step

    with monkeypatch.context() as patch, contextlib.suppress(Killed):
        for owner, name in ((os, "replace"), (Path, "mkdir"), (Path, "write_bytes")):
            patch.setattr(owner, name, until_killed(getattr(owner, name)))
        patch.setattr(shutil, "rmtree", until_killed(shutil.rmtree))
        replace_folder(folder, new)
    monkeypatch.setattr(autograder.kit, "load_trees", lambda folder: [])
    load_kit(trees=tmp_path / "trees")
    assert contents(folder) == (new if steps > 5 else old)
    replace_folder(folder, old)
    assert contents(folder) == old


def test_generated_files_are_read_back_and_linted(quick, tmp_path):
    make(tmp_path / "a")
    trees = load_trees(tmp_path / "a")
    assert len({tree.title for tree in trees}) == len({tree.lesson for tree in trees}) == 6
    assert all(len(tree.lesson) < 70 for tree in trees)
    assert os.listdir(tmp_path) == ["a"]


def test_candidates_can_be_written_and_read_back():
    trees = [tree for tree in candidates(2, 90) if generate.can_be_written(tree)]
    assert len(trees) > 60
    for tree in trees[:30]:
        again = parse_tree(dump_tree(tree), tree.name)
        assert content_of(again) == content_of(tree)
        assert again.searches == tree.searches


def test_the_choice_kills_each_mistake_five_times_where_five_can():
    kills = {f"t{n}": {"easy": 1, "rare": 1} if n < 6 else {"easy": 1} for n in range(20)}
    kills["t19"] = {"lonely": 2}
    chosen = choose(kills, dict.fromkeys(kills, 10), count=7)
    assert shortfalls(kills, set(chosen)) == {}
    assert set(chosen) >= {"t19"}
    assert shortfalls(kills, set()) == {"easy": (0, 19), "rare": (0, 6), "lonely": (0, 2)}


def test_the_choice_prefers_small_trees():
    kills = {"small": {"m": 1}, "large": {"m": 1}}
    assert choose(kills, {"small": 5, "large": 500}, count=1) == ["small"]


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_set_without_a_tree_is_refused_and_nothing_is_touched(quick, tmp_path, count):
    with pytest.raises(Refused, match="COUNT: at least one"):
        generate.main(["--seed", "3", "--count", count, "--out", str(tmp_path / "a")])
    assert not (tmp_path / "a").exists()


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
    assert holdout.caught(pool, 5, random.Random(1)) == (4, 4)


def test_trees_that_kill_one_mistake_each_catch_only_what_the_choice_saw():
    pool = pool_of({f"t{name}": [name] for name in NAMES})
    assert holdout.caught(pool, 4, random.Random(1)) == (0, 4)


def test_a_mistake_that_no_tree_kills_is_not_counted():
    pool = pool_of({"some": NAMES[:2]})
    number, killable = holdout.caught(pool, 5, random.Random(1))
    assert number == killable <= 2


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
