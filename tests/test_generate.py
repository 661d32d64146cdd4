"""A fresh hidden set: the same for the same seed, fit to be graded with, never half.

How well it catches mistakes that nobody listed is measured by `make holdout`.
"""

import contextlib
import os
import random
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from helpers import ROOT, reference, tasks_of, tree_of

from autograder.command import Refused
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree
from autograder.utilities import replace_folder
from autograder.workbench import generate, holdout
from autograder.workbench.candidates import candidates, telling_candidates
from autograder.workbench.choice import Choice, Pool, choose
from autograder.workbench.conditional import sites_of
from autograder.workbench.treesets import (
    CUTS,
    VARIETY,
    content_of,
    kind_of,
    leaves_below,
    properties_of,
)
from gametree import load_trees, parse_tree, treefile
from gametree.games import GamePosition, TicTacToe

SEED, OTHER = str(2**64), str(2**64 + 1)  # the smallest that are not refused
SOME = ("no_cutoff", "strict_cutoff", "strict_cutoff_at_min", "keeps_last_score")


@pytest.fixture
def quick(monkeypatch):
    """Generate from few candidates and few mistakes."""
    mistakes = load_variants(ROOT / "solution" / "mistakes")
    few = [mistake for mistake in mistakes if mistake.name in SOME]
    monkeypatch.setattr(
        generate,
        "load_variants",
        lambda folder, _: few if folder.name == "mistakes" else (),
    )
    monkeypatch.setattr(generate, "POOL", 60)
    monkeypatch.setattr(generate, "TELLING", 0)
    monkeypatch.setattr(generate, "bugs_caught", lambda *_: {})
    monkeypatch.setattr(generate, "choose", partial(choose, steps=200))


def make(folder, *more):
    return generate.main(["--seed", SEED, "--count", "6", "--out", str(folder), *more])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_seed_gives_the_same_files_byte_for_byte(quick, tmp_path):
    assert make(tmp_path / "a") == make(tmp_path / "b") == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(contents(tmp_path / "a")) == 6


def test_another_seed_gives_another_set(quick, tmp_path):
    make(tmp_path / "a")
    make(tmp_path / "b", "--seed", OTHER)
    assert contents(tmp_path / "a") != contents(tmp_path / "b")


def test_a_set_is_never_overwritten_without_force(quick, tmp_path, capsys):
    make(tmp_path / "a")
    before = contents(tmp_path / "a")
    with pytest.raises(Refused, match=r"holds a set \(6 trees\); write FORCE=1"):
        make(tmp_path / "a", "--seed", OTHER)
    assert contents(tmp_path / "a") == before
    assert make(tmp_path / "a", "--seed", OTHER, "--force") == 0
    said = capsys.readouterr().out
    assert "FORCE=1" in said and "holds a set (6 trees), which is replaced" in said
    assert contents(tmp_path / "a") != before


def test_without_a_seed_one_of_128_bits_is_drawn_and_told_and_written_nowhere(
    quick, tmp_path, capsys
):
    folders = tmp_path / "a", tmp_path / "b"
    for folder in folders:
        assert generate.main(["--count", "6", "--out", str(folder)]) == 0
    assert contents(folders[0]) != contents(folders[1])
    seeds = re.findall(r"^drawn: SEED=(\d+),", capsys.readouterr().out, re.MULTILINE)
    for seed, folder in zip(seeds, folders):
        assert 2**100 < int(seed) < 2**128
        written = "".join(f"{name} {text!r}" for name, text in contents(folder).items())
        assert seed not in written and f"{int(seed):x}" not in written
        assert make(tmp_path / "again", "--seed", seed, "--force") == 0
        assert contents(tmp_path / "again") == contents(folder)


@pytest.mark.parametrize("seed", ["7", "-2025", str(2**64 - 1)])
def test_a_seed_that_can_be_tried_is_refused_without_force(quick, tmp_path, capsys, seed):
    arguments = [f"--seed={seed}", "--count=6", f"--out={tmp_path / 'a'}"]
    with pytest.raises(Refused, match=f"SEED={seed} can be found by trying seeds: leave"):
        generate.main(arguments)
    assert not (tmp_path / "a").exists()
    assert generate.main([*arguments, "--force"]) == 0
    assert "do not give marks on this set" in capsys.readouterr().out
    with pytest.raises(Refused, match="leave SEED out, FORCE=1 replaces the set"):
        generate.main(arguments)


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
    monkeypatch.setattr(treefile, "load_trees", lambda folder: [])
    load_kit(trees=tmp_path / "trees")
    assert contents(folder) == (new if steps > 5 else old)
    replace_folder(folder, old)
    assert contents(folder) == old


def test_generated_files_are_read_back_and_linted(quick, tmp_path, capsys):
    make(tmp_path / "a")
    trees = load_trees(tmp_path / "a")
    leaves = [leaves_below(tree.root) for tree in trees]
    games = sum(isinstance(tree.root, GamePosition) for tree in trees)
    said = f"{min(leaves)} to {max(leaves)} leaves; {games} games; "
    out = capsys.readouterr().out
    assert said in out and f"next: move them from {tmp_path / 'a'} to " in out
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
    kills = {f"t{n}": ["easy", "rare"] if n < 6 else ["easy"] for n in range(20)}
    kills["t19"] = ["lonely"]
    pool = pool_of(kills, ["easy", "rare", "lonely"], points=1)
    choice = choose(pool, count=7, steps=300)
    assert choice.shortfalls() == {}
    assert "t19" in choice.chosen
    assert Choice(pool, []).shortfalls() == {
        "easy": (0, 5),
        "rare": (0, 5),
        "lonely": (0, 1),
    }


def test_the_choice_first_takes_trees_that_catch_what_hides():
    pool = pool_of({"wide": [], "wider": [], "deep": [], "t1": [], "t2": []})
    bugs = {"wide": {"a", "b"}, "wider": {"a", "b", "c"}, "deep": {"d"}}
    choice = choose(replace(pool, bugs=bugs), count=5, steps=20)
    assert choice.chosen[:2] == ["wider", "deep"] and choice.escapes == (0, 4)
    assert set(choice.chosen[2:]) == {"t1", "t2"}


def test_the_choice_goes_to_every_edge_that_a_tree_goes_to():
    pool = pool_of({f"t{n}": [] for n in range(9)})
    properties = {**pool.properties, "t3": {"nine children"}, "t5": {"a bound of 0"}}
    assert set(choose(replace(pool, properties=properties), 4).chosen) >= {"t3", "t5"}


def test_what_stays_needs_no_second_tree_for_its_edges():
    pool = pool_of({f"t{n}": [] for n in range(9)})
    properties = {**pool.properties, "t3": {"nine children"}, "t5": {"a bound of 0"}}
    pool = replace(pool, properties=properties, sizes={**pool.sizes, "t3": 999})
    assert "t3" not in choose(replace(pool, shown=frozenset({"nine children"})), 3).chosen


def test_the_choice_has_a_game_two_leaves_and_hundreds_and_few_trees_without_a_cutoff():
    pool = pool_of({f"t{n}": [] for n in range(30)})
    varied = {f"t{n}": {name} for n, name in enumerate(VARIETY)}
    cutting = {f"t{n}": {CUTS} for n in range(10, 30)}
    sizes = dict.fromkeys([*varied, *cutting], 300)
    pool = replace(
        pool,
        properties={**pool.properties, **varied, **cutting},
        sizes={**pool.sizes, **sizes},
    )
    chosen = choose(pool, 15, steps=2000).chosen
    assert {*varied} <= {*chosen} and len({*chosen}) == 15
    assert sum(name not in cutting for name in chosen) == 3


def test_candidates_hold_games_made_from_the_seed_and_trees_of_hundreds_of_leaves():
    def games(seed):
        roots = [tree.root for tree in candidates(seed, 120)]
        return {root.board for root in roots if isinstance(root, TicTacToe)}

    assert games(1) and games(1) == games(1) and games(1) != games(2)
    telling = telling_candidates(1, 6)
    assert any("two hundred leaves" in properties_of(t, reference()) for t in telling)


def test_telling_trees_catch_what_other_candidates_do_not(monkeypatch):
    monkeypatch.setattr(generate, "conditional_sites", some_sites)
    monkeypatch.setattr(generate, "SHARE", 1)
    small, wide = "[1, [2, 1]]", "[1, 1, 1, 1, 1, 1, 1, 2]"
    trees = tree_of(small, name="small"), tree_of(small, name="a"), tree_of(wide, name="b")
    bugs = generate.bugs_caught("equality", tasks_of(*trees), {"a", "b"})
    assert bugs["a"] == set()
    assert any("from child 8 on" in name for name in bugs["b"])


def some_sites(*_):
    """Return the sites of one line of minimax, where the better value is kept."""
    sites = sites_of(load_variants(ROOT / "solution")[0])
    return [site for site in sites if site.place == ("minimax", 13)][:6]


def test_no_two_trees_of_a_pool_teach_the_same_on_the_same_shape():
    assert kind_of(tree_of("[1, [1, 3]]"), {"p"}) == kind_of(tree_of("[4, [4, 9]]"), {"p"})
    assert kind_of(tree_of("[1, [1, 3]]"), {"p"}) != kind_of(tree_of("[1, [2, 3]]"), {"p"})
    assert kind_of(tree_of("[1, [1, 3]]"), {"p"}) != kind_of(tree_of("[[1, 3], 1]"), {"p"})


def test_the_choice_prefers_small_trees():
    pool = replace(pool_of({"a": [], "b": []}), sizes={"a": 500, "b": 5})
    assert choose(pool, count=1, steps=20).chosen == ["b"]


def test_the_choice_has_a_mistake_lose_what_it_loses_over_the_pool():
    kills = {f"t{n}": ["m0"] if n % 2 else [] for n in range(40)}
    pool = pool_of(kills)
    assert choose(pool, count=20, steps=500).earned()["m0"] == 50


def test_the_choice_has_a_program_earn_what_it_may():
    kills = {f"t{n}": ["m0"] if n % 2 else [] for n in range(40)}
    pool = replace(pool_of(kills), ranges={"m0": (62, 68)})
    assert choose(pool, count=20, steps=500).earned()["m0"] == 65


def test_an_exchange_leaves_the_set_as_if_it_was_chosen_so():
    kills = {f"t{n}": NAMES[n % 3 :: n % 4 + 1] for n in range(9)}
    pool = pool_of(kills)
    exchanged = Choice(pool, ["t0", "t1", "t2"]).exchanged("t1", "t8")
    afresh = Choice(pool, ["t0", "t8", "t2"])
    assert exchanged.faults == pytest.approx(afresh.faults)
    assert exchanged.kills == afresh.kills
    assert exchanged.earned() == pytest.approx(afresh.earned())


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_set_without_a_tree_is_refused_and_nothing_is_touched(quick, tmp_path, count):
    with pytest.raises(Refused, match="COUNT: at least one"):
        generate.main(["--count", count, "--out", str(tmp_path / "a")])
    assert not (tmp_path / "a").exists()


NAMES = [f"m{number}" for number in range(8)]


GROUP = ("alphabeta", "ties")


def pool_of(kills, names=NAMES, points=100):
    """Return a Pool of equally large trees; `kills` is tree -> names of mistakes."""
    return Pool(
        convention="equality",
        trees=dict.fromkeys(kills),
        sizes=dict.fromkeys(kills, 10),
        properties={tree: set() for tree in kills},
        programs=tuple(names),
        losses={
            tree: {GROUP: [float(name in killed) for name in names]}
            for tree, killed in kills.items()
        },
        staying=(),
        points={GROUP: points},
        ranges={},
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
        return load_variants(folder, convention)[:4]

    monkeypatch.setattr(
        generate, "load_rubric", lambda path: replace(load_rubric(path), cutoff="strict")
    )
    monkeypatch.setattr(generate, "load_variants", few)
    monkeypatch.setattr(generate, "POOL", 30)
    monkeypatch.setattr(generate, "TELLING", 0)
    monkeypatch.setattr(generate, "bugs_caught", lambda *_: {})
    pools = []
    monkeypatch.setattr(holdout, "caught", lambda pool, *_: pools.append(pool) or (1, 1))
    assert holdout.main(["--splits", "1"]) == 0
    assert set(read) == {pools[0].convention} == {"strict"}
    assert "together: 100.0%" in capsys.readouterr().out
