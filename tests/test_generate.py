"""A fresh hidden set: the same for the same seed, fit to be graded with, never half."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from helpers import ROOT, reference, tree_of

import autograder.kit
from autograder.command import Refused
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.smalltrees.build import dump_tree
from autograder.utilities import replace_folder
from autograder.workbench import generate
from autograder.workbench.generate import candidates, choose, shortfalls
from autograder.workbench.treesets import REQUIRED, content_of, lesson_of, properties_of
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


@pytest.mark.parametrize(
    "nested, root, shows",
    [
        ("[1, [1, 1]]", "max", {"MAX root", "a tie that cuts off", "uneven depth"}),
        ("[[-1], [-2]]", "min", {"MIN root", "all values negative", "a single child"}),
        ("[1, [[[1, 1]]]]", "max", {"a deep cutoff"}),
        (
            "[0, 20000, -20000, 0.5]",
            "max",
            {"a zero", "a fraction", "a value above 10,000"},
        ),
        ("[1, 2]", "max", {"a best move that is not the first", "all values positive"}),
    ],
)
def test_what_a_tree_shows(nested, root, shows):
    found = properties_of(tree_of(nested, root), reference())
    assert shows <= found
    assert found <= set(REQUIRED)


def test_a_shallow_cutoff_is_not_called_deep():
    assert "a deep cutoff" not in properties_of(tree_of("[1, [1, 1]]"), reference())


def test_the_searches_show_too():
    searches = "[{depth: 1}, {alpha: 0, beta: 2}]"
    tree = tree_of("[{value: 4, children: [1, 2]}, 3]", searches=searches)
    found = properties_of(tree, reference())
    assert {"a depth limit over static values", "a narrow window"} <= found


def test_lessons_are_unique_however_many_trees_are_alike():
    taken = set()
    tree = tree_of("[1, [1, 1]]")
    lessons = [lesson_of(tree, {"uneven depth"}, taken) for _ in range(9)]
    assert len(set(lessons)) == 9
    assert all(lesson.startswith("a tie cuts off at MIN") for lesson in lessons)


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_set_without_a_tree_is_refused_and_nothing_is_touched(quick, tmp_path, count):
    with pytest.raises(Refused, match="COUNT: at least one"):
        generate.main(["--seed", "3", "--count", count, "--out", str(tmp_path / "a")])
    assert not (tmp_path / "a").exists()
