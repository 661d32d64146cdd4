"""A fresh hidden set: the same for the same seed, fit to be graded with, never half."""

import contextlib
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import ROOT
from unseen.programs import escaping, wrong_programs

from autograder.command import Refused
from autograder.files import replace_folder
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variant
from autograder.rubricfile import load_rubric
from autograder.tasks import tasks_for
from autograder.workbench import generate
from autograder.workbench.generate import Course, fit_set
from autograder.workbench.lint import content_of, lint
from autograder.workbench.properties import ESSENTIAL, PROPERTIES, lacking
from gametree import load_trees
from gametree.support import treefile

SEED = 2**64  # the smallest that is not refused
SOME = ("no_cutoff", "strict_cutoff", "strict_cutoff_at_min", "keeps_last_score")
OWN = "title: Own\nlesson: own\nsource: a book\nroot: max\ntree: [1, 2]  # mine\n"


@pytest.fixture
def quick(monkeypatch):
    """Generate from few candidates and few mistakes."""

    def some(folder, cutoff):
        return [load_variant(folder / f"{name}.py", cutoff) for name in SOME]

    monkeypatch.setattr(generate, "load_variants", some)
    monkeypatch.setattr(generate, "SPECIAL_ROUNDS", 0)
    monkeypatch.setattr(generate, "COMMON_ROUNDS", 3)


def make(folder, *more):
    return generate.main(["--count", "6", "--out", str(folder), *more])


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_set_is_made_from_a_seed_and_replaced_or_added_to_when_asked(
    quick, tmp_path, capsys
):
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "own.yaml").write_text(OWN)
    assert make(folder) == 0
    (seed,) = re.findall(r"^drawn: SEED=(\d+),", capsys.readouterr().out, re.MULTILINE)
    assert 2**100 < int(seed) < 2**128
    before = contents(folder)
    written = "".join(f"{name} {text!r}" for name, text in before.items())
    assert seed not in written and f"{int(seed):x}" not in written
    with pytest.raises(Refused, match=r"holds a set \(6 trees\); write FORCE=1"):
        make(folder, "--seed", str(SEED))
    assert contents(folder) == before and len(before) == 7
    assert make(folder, "--seed", str(SEED), "--keep") == 0
    more = contents(folder)
    assert len(more) == 13 and before.items() <= more.items()
    assert list(lint([], load_trees(folder))) == []
    assert make(folder, "--seed", seed, "--force") == 0
    assert contents(folder) == before and before["own.yaml"] == OWN.encode()


def test_what_makes_no_set_is_refused_and_nothing_is_touched(tmp_path):
    path, guessable = tmp_path / "a", r"SEED=-?\d+ can be found by trying seeds"
    path.write_text("a file")
    for option, told in (
        *((f"--seed={seed}", guessable) for seed in (7, -2025, 2**64 - 1)),
        *((f"--count={count}", "COUNT: at least one") for count in (0, -3)),
        ("--force", "OUT: .*a is a file; give a folder"),
    ):
        with pytest.raises(Refused, match=told):
            make(path, option, "--force")
    assert contents(tmp_path) == {"a": b"a file"}
    with pytest.raises(Refused, match="holds a, which would be gone: move it away"):
        make(tmp_path, "--force")


def test_a_set_that_is_not_fit_is_chosen_again_and_refused_where_none_is(
    quick, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(generate, "COMMON_ROUNDS", 1)
    monkeypatch.setattr(generate, "problems", lambda *_: ["a mistake is missed"])
    with pytest.raises(Refused, match="no set of 40 trees is fit; a larger COUNT helps"):
        make(tmp_path / "a", "--count", "40")
    assert not (tmp_path / "a").exists()
    found = iter([["another one"], []])
    monkeypatch.setattr(generate, "problems", lambda *_: next(found))
    assert make(tmp_path / "a", "--count", "2") == 0
    said = capsys.readouterr().out
    assert "choice 1 is not fit: another one\n" in said
    assert re.search(r"the others on fewer, down to \d; a larger COUNT helps", said)


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


@pytest.fixture(scope="module")
def course():
    return Course(ROOT, [])


@pytest.fixture(scope="module")
def whole(course):
    """A set of 60, as an instructor makes it in an empty folder."""
    chosen, missed = fit_set(course, SEED, 60)
    assert missed == []  # every known mistake loses points on enough trees
    return chosen


def test_a_set_of_sixty_is_fit_and_says_in_each_file_what_it_is_for(
    course, whole, tmp_path
):
    generate.write_set(tmp_path / "set", whole, [])
    trees = load_trees(tmp_path / "set")
    made = {each.tree.name: each.tree for each in whole}
    assert len(trees) == len(made) == 60
    for tree in trees:
        assert content_of(tree) == content_of(made[tree.name]), tree.name
        assert tree.searches == made[tree.name].searches, tree.name
    assert list(lint(course.public, trees)) == []
    assert list(lacking(each.facts for each in whole)) == []
    for text in contents(tmp_path / "set").values():
        assert text.startswith(b"# In the set for: ")
    words = [tree.title + tree.lesson for tree in trees]
    assert not [text for text in words if re.search("candidate|fresh|no. [0-9]", text)]
    shown = set().union(*(each.offers for each in whole))
    assert {p.name for p in PROPERTIES if p.worth == ESSENTIAL} <= shown
    assert len([one for one in PROPERTIES if one.name in shown]) > 0.85 * len(PROPERTIES)
    assert sum(each.queries for each in whole) < 12_000


def test_a_set_of_sixty_lets_few_programs_through_that_nobody_chose_it_by(course, whole):
    trees = [*course.public, *(each.tree for each in whole)]
    programs = wrong_programs()[::8]
    left = escaping(programs, tasks_for(trees, course.reference))
    assert len(left) <= 0.05 * len(programs), [program.name for program in left]


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
        fresh, _ = fit_set(asked(monkeypatch, cents=cents), SEED, 6)
        assert len(fresh) == 6, cents
    fresh, _ = fit_set(asked(monkeypatch, cutoff="strict"), SEED, 6)
    assert len(fresh) == 6
