"""A cache is loaded only if the kit has not changed and only its owner could write it.

The key of the cache is a hash of all files that a grade depends on.
"""

import os

import pytest
from helpers import RUBRIC, copy_with, tables_beside, variant
from kitcopy import copy_small_kit

from autograder.grading import grade, refuse
from autograder.ground.files import CACHE, load, load_or_make, store
from autograder.kit import cached_kit, prepare
from autograder.kit.contents import content_hash
from autograder.kit.loading import load_kit, load_reference
from autograder.showing import results
from autograder.showing.results import as_json, results_of, results_text
from gametree.support.errors import InputError

TABLES = tables_beside(__file__)

pytestmark = pytest.mark.usefixtures("short_ladder")

TREE = "title: t\nlesson: l\nroot: {}\ntree: [[3, 5], [2, 9]]\n"
GAME = "title: g\nlesson: l\nroot: max\ngame: {name: coins, coins: 4}\n"
CONTENT = {"a": [1, 2.5, (3,)]}
OTHER_UID = 12345


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return the root of a kit with three small trees, two mistakes, and no cache."""
    trees = {
        "public/01-a.yaml": TREE.format("max"),
        "hidden/01-b.yaml": TREE.format("min"),
        "hidden/02-c.yaml": GAME,
    }
    mistakes = ("no_cutoff", "table_by_name")
    return copy_small_kit(tmp_path_factory.mktemp("cached"), trees, mistakes)


@pytest.fixture
def file(tmp_path):
    """Return the path of a file that stores CONTENT under the key "key"."""
    path = tmp_path / "folder" / "file"
    store(path, "key", CONTENT)
    return path


def fail(*_):
    """Stand in for a function that must not be called."""
    raise AssertionError("was computed again")


class TestAStoredFile:
    def test_is_private_and_loaded_under_its_key_only(self, file):
        assert file.stat().st_mode & 0o777 == 0o600
        assert load(file, "key") == CONTENT
        assert [load(file, key) for key in ("other", "ke", "keys", "")] == [None] * 4

    def test_is_not_loaded_if_it_is_absent_empty_cut_or_changed(self, file):
        content = file.read_bytes()
        file.unlink()
        assert load(file, "key") is None
        for damaged in (b"", content[:-1], content[:-1] + b"x"):
            file.write_bytes(damaged)
            assert load(file, "key") is None, damaged

    def test_is_not_loaded_by_another_python(self, file, monkeypatch):
        monkeypatch.setattr("sys.version", "another")
        assert load(file, "key") is None

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o601])
    def test_is_not_loaded_if_other_users_may_access_it(self, mode, file):
        file.chmod(mode)
        assert load(file, "key") is None

    @pytest.mark.skipif(os.geteuid() != 0, reason="not root")
    def test_is_not_loaded_if_another_user_owns_it(self, file):
        os.chown(file, OTHER_UID, -1)
        assert load(file, "key") is None

    def test_is_not_loaded_through_a_link(self, file, tmp_path):
        (tmp_path / "link").symlink_to(file)
        assert load(tmp_path / "link", "key") is None

    def test_is_omitted_without_an_error_if_it_cannot_be_written(self, file):
        assert load_or_make(file / "below", "key", lambda: CONTENT) == CONTENT
        assert load(file / "below", "key") is None


def facts_of(kit):
    """Return the parts of a kit that a grading depends on, for comparison."""
    rows = [row.name for row in kit.rows]
    tasks = [*kit.tasks, *kit.ladder.tasks("alphabeta")]
    runs = [(task.key, task.expected.events, task.expected.answer) for task in tasks]
    mistakes = [mistake.source for mistake in kit.library.variants]
    return kit.rubric, rows, runs, mistakes, kit.library.behaviors


def test_a_cached_kit_equals_the_kit_and_nothing_is_computed_again(root, monkeypatch):
    facts = facts_of(load_kit(root))
    prepare(root)
    monkeypatch.setattr("autograder.kit.loading.load_trees", fail)
    monkeypatch.setattr("autograder.explaining.library.run_program", fail)
    monkeypatch.setattr("autograder.smalltrees.enumeration.tasks_for", fail)
    assert facts_of(cached_kit(root)) == facts


def test_the_library_of_a_changed_copy_is_not_cached(root):
    kit = prepare(root)
    stored = (root / CACHE / "library").read_bytes()
    assert copy_with(kit, tasks=kit.tasks[:2]).library.behaviors
    assert (root / CACHE / "library").read_bytes() == stored


@pytest.fixture(scope="module")
def correct_gradings(root, sandbox_for):
    """Return name -> Grading of some correct programs."""
    kit = cached_kit(root)
    sandbox = sandbox_for(kit.rubric.limits)
    names = ("search", "correct/negamax", "correct/fail_hard")
    return {name: grade(kit, variant(name).source.encode(), sandbox) for name in names}


def text_of(grading, root):
    """Return the results.json of a grading, with the cache of a kit."""
    return results_text(grading, cached_kit(root).cached).text


class TestTheResultsOfACorrectSubmission:
    def test_are_the_same_for_all_programs_and_made_once(
        self, root, correct_gradings, monkeypatch
    ):
        gradings = correct_gradings.values()
        texts = {text_of(correct_gradings["search"], root)}
        assert {as_json(results_of(grading)) for grading in gradings} == texts
        monkeypatch.setattr(results, "report_rows", fail)
        assert {text_of(grading, root) for grading in gradings} == texts
        cached = (root / CACHE / "flawless").read_bytes()
        assert content_hash(root).encode() in cached

    def test_are_not_reused_if_there_is_a_note_or_a_refusal(self, root, correct_gradings):
        renamed = correct_gradings["search"]._replace(note="h.py was taken")
        refused = refuse(cached_kit(root), "no search.py")
        assert [grading.flawless for grading in (renamed, refused)] == [False, False]


def test_a_kit_without_its_reference_names_it(tmp_path):
    message = r"search\.py cannot be loaded: .*; restore it$"
    with pytest.raises(InputError, match=message):
        load_reference(RUBRIC, tmp_path)


# File -> whether a grade depends on it.
MATTERS = TABLES["files that the cache depends on"]


@pytest.mark.parametrize("name", MATTERS)
def test_the_key_changes_only_with_files_that_a_grade_depends_on(name, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("before = 1\n")
    before = content_hash(tmp_path)
    path.write_text("after = 1\n")
    assert (content_hash(tmp_path) != before) == MATTERS[name]
