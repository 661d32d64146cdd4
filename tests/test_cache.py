"""What is known of the kit is kept, and recalled only where it is certainly current.

A kit that is not whole says what is missing; what a grade depends on is hashed.
"""

import os
from dataclasses import replace

import pytest
from kitcopy import copy_kit

from autograder import kit as kit_module
from autograder import results
from autograder.cache import load, store
from autograder.grading import Grading, refuse
from autograder.judging.scores import score_rows
from autograder.kit import (
    CACHE,
    cached_kit,
    content_hash,
    load_kit,
    load_reference,
    prepare,
)
from autograder.mistakes.library import run_variant
from autograder.mistakes.variants import Variant, load_variant
from autograder.results import in_bounds, results_of, results_text
from autograder.tasks import ReferenceFailed
from gametree.support import treefile
from gametree.support.judging import judge

TREE = "title: t\nlesson: l\nroot: {}\ntree: [[3, 5], [2, 9]]\n"
GAME = "title: g\nlesson: l\nroot: max\ngame: {name: coins, coins: 4}\n"
CONTENT = {"a": [1, 2.5, (3,)]}
CODE = {  # a file -> whether a grade depends on it
    "starter/gametree/support/judging.py": True,
    "autograder/showing/summary.py": True,
    "autograder/course/classpage.py": False,
    "autograder/workbench/check.py": False,
    "autograder/batch.py": False,
    "starter/gametree/support/trace.py": True,
    "solution/mistakes/no_cutoff.py": True,
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return the root of a kit with three small trees, two mistakes, and nothing known."""
    root = copy_kit(tmp_path_factory.mktemp("known"))
    for path in (root / "trees").glob("*/*.yaml"):
        path.unlink()
    for path in (root / "solution" / "mistakes").glob("*.py"):
        if path.stem not in ("no_cutoff", "table_by_name"):
            path.unlink()
    (root / "trees" / "public" / "01-a.yaml").write_text(TREE.format("max"))
    (root / "trees" / "hidden" / "01-b.yaml").write_text(TREE.format("min"))
    (root / "trees" / "hidden" / "02-c.yaml").write_text(GAME)
    return root


@pytest.fixture
def file(tmp_path):
    """Return the path of a file that keeps CONTENT under the key "key"."""
    path = tmp_path / "folder" / "file"
    store(path, "key", CONTENT)
    return path


def fail(*_):
    """Stand in for what must not be called."""
    raise AssertionError("was computed again")


def test_what_was_kept_is_recalled_whole_for_this_key_and_python_only(file, monkeypatch):
    assert load(file, "key") == CONTENT
    assert load(file, "other") is load(file, "ke") is None
    assert load(file.parent / "none", "key") is None
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:-1] + b"x", b""):
        file.write_bytes(damaged)
        assert load(file, "key") is None
    file.write_bytes(whole)
    monkeypatch.setattr("sys.version", "another")
    assert load(file, "key") is None


def test_only_its_owner_may_touch_what_is_kept_and_no_link_is_followed(file, tmp_path):
    assert file.stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(file)
    assert load(tmp_path / "link", "key") is None
    for mode in (0o640, 0o604, 0o620, 0o602):
        file.chmod(mode)
        assert load(file, "key") is None
    file.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(file, 12345, -1)
        assert load(file, "key") is None


def test_what_cannot_be_kept_is_no_fault(file):
    store(file / "below", "key", CONTENT)
    assert load(file / "below", "key") is None


def test_a_known_kit_is_the_kit_and_no_tree_is_read(copy, monkeypatch):
    plain, first = load_kit(copy), cached_kit(copy)
    monkeypatch.setattr(treefile, "load_trees", fail)
    monkeypatch.setattr(kit_module, "proven_by", fail)
    again = cached_kit(copy)
    for kit in (first, again):
        assert (kit.rubric, kit.public_names) == (plain.rubric, plain.public_names)
        assert [row.name for row in kit.rows] == [row.name for row in plain.rows]
        for task, known in zip(plain.tasks, kit.tasks, strict=True):
            assert (task.function, task.search) == (known.function, known.search)
            assert task.expected.events == known.expected.events
            assert task.expected.answer == known.expected.answer
            subtrees = task.tree.root.subtree(), known.tree.root.subtree()
            one, other = ([(p.path, p.name) for p in subtree] for subtree in subtrees)
            assert one == other
    assert all(task.proven for task in again.tasks)


def test_the_known_mistakes_are_not_run_again(copy, monkeypatch):
    (copy / CACHE / "library").unlink(missing_ok=True)
    fresh = cached_kit(copy).library
    monkeypatch.setattr(Variant, "module", fail)
    again = cached_kit(copy).library
    assert [v.source for v in again.variants] == [v.source for v in fresh.variants]
    assert again.signatures == fresh.signatures


def test_another_tree_makes_another_kit_and_library_and_its_own_alone_is_kept(copy):
    kit = prepare(copy)
    kept = (copy / CACHE / "library").read_bytes()
    assert replace(kit, tasks=kit.tasks[:2]).library.signatures
    assert (copy / CACHE / "library").read_bytes() == kept
    path = copy / "trees" / "hidden" / "03-d.yaml"
    path.write_text(TREE.format("max"))
    changed = cached_kit(copy)
    assert len(changed.tasks) == len(kit.tasks) + 3
    known = [
        own["alphabeta"]
        for own in changed.library.signatures.values()
        if "alphabeta" in own
    ]
    assert {*map(len, known)} == {len(changed.library.tasks_of("alphabeta"))}
    path.unlink()


def all_right(kit, path):
    """Return the Grading of a right file of solution/, run in this process."""
    runs = run_variant(load_variant(path, kit.rubric.cutoff), kit.tasks)
    verdicts = [judge(task, trace) for task, trace in zip(kit.tasks, runs)]
    return Grading(score_rows(kit.rows, verdicts, kit.rubric))


def test_what_every_right_submission_reads_is_worded_once(copy, monkeypatch):
    kit = cached_kit(copy)
    styles = [copy / "solution" / "search.py", *(copy / "solution" / "correct").glob("*")]
    gradings = [all_right(kit, path) for path in styles if path.suffix == ".py"]
    texts = {in_bounds(results_of(grading)) for grading in gradings}
    assert len(gradings) > 30 and texts == {results_text(gradings[0], kit)}
    monkeypatch.setattr(results, "results_of", fail)
    assert results_text(gradings[-1], cached_kit(copy)) in texts
    with pytest.raises(AssertionError, match="computed again"):
        results_text(replace(gradings[0], slow_to_load=True), kit)
    with pytest.raises(AssertionError, match="computed again"):
        results_text(refuse(kit, "no search.py"), kit)
    assert content_hash(copy).encode() in (copy / CACHE / "flawless").read_bytes()


def test_a_kit_without_its_reference_names_it(tmp_path):
    said = r"search\.py cannot be read: .*; restore it$"
    with pytest.raises(ReferenceFailed, match=said):
        load_reference(tmp_path)


def test_an_edit_that_changes_no_grade_leaves_a_course_graded(tmp_path):
    for name, concerned in CODE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before = 1\n")
        before = content_hash(tmp_path)
        (tmp_path / name).write_text("after = 1\n")
        assert (content_hash(tmp_path) != before) == concerned, name
