"""What is known of the kit is kept, and recalled only where it is certainly current."""

import os
import pickle
from dataclasses import replace

import pytest
from kitcopy import copy_kit

from autograder import kit as kit_module
from autograder import results
from autograder.grading import Grading, refuse
from autograder.judging.scores import make_rows
from autograder.kit import KNOWN, content_hash, known_kit, load_kit, prepare
from autograder.known import keep, recall
from autograder.mistakes.library import run_variant
from autograder.mistakes.variants import Variant, load_variant
from autograder.results import in_bounds, results_of, results_text
from gametree import treefile
from gametree.judging import judge

TREE = "title: t\nlesson: l\nroot: {}\ntree: [[3, 5], [2, 9]]\n"
GAME = "title: g\nlesson: l\nroot: max\ngame: {name: coins, coins: 4}\n"
CONTENT = {"a": [1, 2.5, (3,)]}


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
    keep(path, "key", CONTENT)
    return path


def fail(*_):
    """Stand in for what must not be called."""
    raise AssertionError("was computed again")


def test_what_was_kept_is_recalled(file):
    assert recall(file, "key") == CONTENT


def test_it_is_for_this_key_only(file):
    assert recall(file, "other") is recall(file, "ke") is None


def test_it_is_for_this_python_only(file, monkeypatch):
    monkeypatch.setattr("sys.version", "another")
    assert recall(file, "key") is None


@pytest.mark.parametrize(
    "change", [lambda d: d[:-1], lambda d: d[:-1] + b"x", lambda d: b""]
)
def test_a_damaged_file_counts_as_none(file, change):
    file.write_bytes(change(file.read_bytes()))
    assert recall(file, "key") is None


def test_no_file_counts_as_none(tmp_path):
    assert recall(tmp_path / "none", "key") is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs Unix")
class TestOwners:
    def test_only_the_owner_may_read_what_is_kept(self, file):
        assert file.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
    def test_a_file_that_others_may_touch_is_not_read(self, file, mode):
        file.chmod(mode)
        assert recall(file, "key") is None

    def test_a_link_is_not_followed(self, file, tmp_path):
        (tmp_path / "link").symlink_to(file)
        assert recall(tmp_path / "link", "key") is None

    @pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give a file away")
    def test_a_file_of_another_user_is_not_read(self, file):
        os.chown(file, 12345, -1)
        assert recall(file, "key") is None


def test_what_cannot_be_kept_is_no_fault(tmp_path):
    (tmp_path / "file").write_text("in the way")
    keep(tmp_path / "file" / "below", "key", CONTENT)
    assert recall(tmp_path / "file" / "below", "key") is None


def test_a_known_kit_is_the_kit_and_no_tree_is_read(copy, monkeypatch):
    plain, first = load_kit(copy), known_kit(copy)
    monkeypatch.setattr(treefile, "load_trees", fail)
    monkeypatch.setattr(kit_module, "proven_by", fail)
    again = known_kit(copy)
    for kit in (first, again):
        assert (kit.rubric, kit.public_names) == (plain.rubric, plain.public_names)
        assert [row.name for row in kit.rows] == [row.name for row in plain.rows]
        for task, known in zip(plain.tasks, kit.tasks, strict=True):
            assert (task.function, task.search) == (known.function, known.search)
            assert task.expected.events == known.expected.events
            assert task.expected.answer == known.expected.answer
            assert [p.path for p in task.tree.root.subtree()] == [
                p.path for p in known.tree.root.subtree()
            ]
    assert all(task.proven for task in again.tasks)


def test_a_changed_tree_makes_another_kit(copy):
    path = copy / "trees" / "hidden" / "01-b.yaml"
    known_kit(copy)
    path.write_text(TREE.format("max"))
    assert {task.search.maximizing for task in known_kit(copy).tasks[:6]} == {True}
    path.write_text(TREE.format("min"))
    assert {task.search.maximizing for task in known_kit(copy).tasks[:6]} == {True, False}


def test_a_changed_mistake_makes_another_kit_as_it_makes_another_library(copy):
    path = copy / "solution" / "mistakes" / "no_cutoff.py"
    key = content_hash(copy)
    text = path.read_text()
    path.write_text(text + "# changed\n")
    assert content_hash(copy) != key
    path.write_text(text)


def test_the_known_mistakes_are_not_run_again(copy, monkeypatch):
    (copy / KNOWN / "library").unlink(missing_ok=True)
    fresh = known_kit(copy).library
    monkeypatch.setattr(Variant, "module", fail)
    again = known_kit(copy).library
    assert [v.as_data() for v in again.variants] == [v.as_data() for v in fresh.variants]
    assert again.known == fresh.known


def test_a_kit_of_other_trees_leaves_what_is_kept_of_the_roots_own(copy):
    kit = prepare(copy)
    kept = (copy / KNOWN / "library").read_bytes()
    assert replace(kit, tasks=kit.tasks[:2]).library.known
    assert (copy / KNOWN / "library").read_bytes() == kept


def test_a_library_of_another_kit_is_not_taken(copy):
    prepare(copy)
    (copy / "trees" / "hidden" / "03-d.yaml").write_text(TREE.format("max"))
    kit = known_kit(copy)
    asked = len(kit.library.tasks_of("alphabeta"))
    assert {
        len(own["alphabeta"]) for own in kit.library.known.values() if "alphabeta" in own
    } == {asked}
    (copy / "trees" / "hidden" / "03-d.yaml").unlink()


def test_a_game_survives_being_kept(copy):
    root = known_kit(copy).hidden[-1].root
    same = pickle.loads(pickle.dumps(root))
    assert [p.name for p in same.subtree()] == [p.name for p in root.subtree()]


def all_right(kit, path):
    """Return the Grading of a right file of solution/, run in this process."""
    runs = run_variant(load_variant(path, kit.rubric.cutoff), kit.tasks)
    verdicts = [judge(task, trace) for task, trace in zip(kit.tasks, runs)]
    return Grading(make_rows(kit.rows, verdicts, kit.rubric))


def test_what_every_right_submission_reads_is_worded_once(copy, monkeypatch):
    kit = known_kit(copy)
    styles = [copy / "solution" / "search.py", *(copy / "solution" / "correct").glob("*")]
    gradings = [all_right(kit, path) for path in styles if path.suffix == ".py"]
    texts = {in_bounds(results_of(grading)) for grading in gradings}
    assert len(gradings) > 30 and texts == {results_text(gradings[0], kit)}
    monkeypatch.setattr(results, "results_of", fail)
    assert results_text(gradings[-1], known_kit(copy)) in texts
    with pytest.raises(AssertionError, match="computed again"):
        results_text(replace(gradings[0], slow_to_load=True), kit)
    with pytest.raises(AssertionError, match="computed again"):
        results_text(refuse(kit, "no search.py"), kit)
    assert content_hash(copy).encode() in (copy / KNOWN / "flawless").read_bytes()
