"""A fresh hidden set: the same for the same seed, fit to be graded with, never half."""

import contextlib
import os
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import ROOT
from unseen.programs import charged, escaping, wrong_programs

from autograder.command import Refused
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.tasks import tasks_for
from autograder.utilities import replace_folder
from autograder.workbench import generate
from autograder.workbench.generate import Course, fit_set, take
from autograder.workbench.properties import PROPERTIES, lacking, lint
from gametree import load_trees, treefile

SEED, OTHER = 2**64, 2**64 + 1  # the smallest that are not refused
SOME = ("no_cutoff", "strict_cutoff", "strict_cutoff_at_min", "keeps_last_score")


@pytest.fixture
def quick(monkeypatch):
    """Generate from few candidates and few mistakes."""

    def some(*given):
        return [mistake for mistake in load_variants(*given) if mistake.name in SOME]

    monkeypatch.setattr(generate, "load_variants", some)
    monkeypatch.setattr(generate, "SPECIAL_ROUNDS", 0)
    monkeypatch.setattr(generate, "COMMON_ROUNDS", 4)


def make(folder, *more):
    return generate.main(["--seed", str(SEED), "--count", "6", "--out", str(folder), *more])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_seed_gives_the_same_files_and_replaces_none_without_force(quick, tmp_path):
    assert make(tmp_path / "a") == make(tmp_path / "b") == 0
    before = contents(tmp_path / "a")
    assert before == contents(tmp_path / "b") and len(before) == 6
    with pytest.raises(Refused, match=r"holds a set \(6 trees\); write FORCE=1"):
        make(tmp_path / "a", "--seed", str(OTHER))
    assert contents(tmp_path / "a") == before
    assert make(tmp_path / "a", "--seed", str(OTHER), "--force") == 0
    assert contents(tmp_path / "a") != before


def test_a_set_is_added_to(quick, tmp_path):
    make(tmp_path / "a")
    before = contents(tmp_path / "a")
    assert make(tmp_path / "a", "--seed", str(OTHER), "--keep") == 0
    after = contents(tmp_path / "a")
    assert len(after) == 12 and before.items() <= after.items()
    assert list(lint([], load_trees(tmp_path / "a"), load_kit().reference)) == []


def test_without_a_seed_one_of_128_bits_is_drawn_and_told_and_written_nowhere(
    quick, tmp_path, capsys
):
    assert generate.main(["--count", "6", "--out", str(tmp_path / "a")]) == 0
    (seed,) = re.findall(r"^drawn: SEED=(\d+),", capsys.readouterr().out, re.MULTILINE)
    assert 2**100 < int(seed) < 2**128
    written = "".join(f"{name} {text!r}" for name, text in contents(tmp_path / "a").items())
    assert seed not in written and f"{int(seed):x}" not in written
    make(tmp_path / "again", "--seed", seed)
    assert contents(tmp_path / "again") == contents(tmp_path / "a")


def test_what_makes_no_set_is_refused_and_nothing_is_touched(tmp_path):
    for option in ("--seed=7", "--seed=-2025", f"--seed={2**64 - 1}"):
        with pytest.raises(Refused, match=r"SEED=-?\d+ can be found by trying seeds"):
            make(tmp_path / "a", option, "--force")
    for count in ("0", "-3"):
        with pytest.raises(Refused, match="COUNT: at least one"):
            make(tmp_path / "a", "--count", count)
    assert not (tmp_path / "a").exists()


def test_a_tree_that_names_its_source_stays_as_it_is(quick, tmp_path):
    folder = tmp_path / "a"
    folder.mkdir()
    text = "title: Own\nlesson: own\nsource: a book\nroot: max\ntree: [1, 2]  # mine\n"
    (folder / "own.yaml").write_text(text)
    assert make(folder) == 0
    assert (folder / "own.yaml").read_text() == text
    assert len(contents(folder)) == 7


def test_a_set_that_is_not_fit_is_chosen_again_and_refused_where_none_is(
    quick, tmp_path, monkeypatch, capsys
):
    found = iter([["another one"], []])
    monkeypatch.setattr(generate, "problems", lambda *_: next(found))
    assert make(tmp_path / "a") == 0
    assert "another one: choosing again, from more trees" in capsys.readouterr().out
    monkeypatch.setattr(generate, "problems", lambda *_: ["a mistake is missed"])
    with pytest.raises(Refused, match="no set of 40 trees is fit; a larger COUNT helps"):
        make(tmp_path / "b", "--count", "40")
    assert not (tmp_path / "b").exists()
    assert make(tmp_path / "b") == 0
    assert re.search(
        r"the others on \d to \d; a larger COUNT helps", capsys.readouterr().out
    )


class Killed(BaseException):
    """The process is gone: nothing after this happens."""


def test_a_set_that_is_replaced_is_the_old_or_the_new_one_at_every_step(
    tmp_path, monkeypatch
):
    folder, old, new = tmp_path / "trees" / "hidden", {"a": b"old"}, {"a": b"1", "b": b"2"}
    (tmp_path / "trees" / "public").mkdir(parents=True)
    monkeypatch.setattr(treefile, "load_trees", lambda folder: [])
    for steps in range(9):
        replace_folder(folder, old)
        left = iter(range(steps))

        def until_killed(function, left=left):
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
        load_kit(trees=tmp_path / "trees")
        assert contents(folder) == (new if steps > 5 else old), steps


class Offer(SimpleNamespace):
    """Stands for a tree that may come into the set."""

    __hash__ = object.__hash__


def test_the_cover_takes_what_adds_most_for_its_cost_until_nothing_is_needed():
    offers = {"both": "ab", "one": "a", "large": "ab", "rare": "c", "none": ""}
    offers = {Offer(name=name, queries=9): {*some} for name, some in offers.items()}
    pool = [*offers]
    pool[2].queries = 900
    needed, worth = Counter(a=2, b=1, c=1), {"a": 1, "b": 1, "c": 5}
    chosen = take(pool, offers, needed, worth, 9)
    assert [each.name for each in chosen] == ["rare", "both", "one"]
    assert [sorted(each.reasons) for each in chosen] == [["c"], ["a", "b"], ["a"]]
    assert [each.name for each in take(pool, offers, needed, worth, 1)] == ["rare"]


@pytest.fixture(scope="module")
def course():
    return Course(ROOT, [])


@pytest.fixture(scope="module")
def whole(course):
    """A set of 60, as an instructor makes it in an empty folder."""
    return fit_set(course, SEED, 60)


def test_a_set_of_sixty_is_fit_and_says_in_each_file_what_it_is_for(
    course, whole, tmp_path
):
    generate.write_set(tmp_path / "set", whole, [])
    trees = load_trees(tmp_path / "set")
    assert len(trees) == 60
    assert list(lint(course.public, trees, course.reference)) == []
    assert list(lacking(trees, course.reference)) == []
    assert generate.rare(course, whole) == []
    for path in (tmp_path / "set").iterdir():
        assert path.read_text().startswith("# In the set for: ")
    words = [tree.title + tree.lesson for tree in trees]
    assert not [text for text in words if re.search("candidate|fresh|no. [0-9]", text)]
    shown = set().union(*(each.offers for each in whole))
    assert len([one for one in PROPERTIES if one.name in shown]) > 0.85 * len(PROPERTIES)


def test_a_set_of_sixty_lets_few_programs_through_that_nobody_chose_it_by(course, whole):
    trees = [*course.public, *(each.tree for each in whole)]
    programs = wrong_programs()[::5]
    left = escaping(programs, tasks_for(trees, course.reference))
    assert len(left) <= 0.05 * len(programs), [program.name for program in left]


def test_no_right_style_is_charged_for_on_random_trees():
    assert charged(40) == []


def asked(monkeypatch, **changes):
    """Return the Course of the kit's rubric with these changes."""
    rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
    for key in ("shares", "weights"):
        known = getattr(rubric, key)
        changes[key] = {name: known[name] for name in changes.get("cents", known)}
    monkeypatch.setattr(generate, "load_rubric", lambda path: replace(rubric, **changes))
    return Course(ROOT, [])


def test_a_course_has_sets_whatever_it_asks_and_gives(quick, monkeypatch):
    for cents in (
        {"best_move": 10_000},
        {"alphabeta": 700},
        {"minimax": 1, "best_move": 0},
    ):
        fresh = fit_set(asked(monkeypatch, cents=cents), SEED, 6)
        assert len(fresh) == 6, cents
    fresh = fit_set(asked(monkeypatch, cutoff="strict"), SEED, 6)
    assert len(fresh) == 6
