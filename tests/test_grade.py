"""Check what `make grade` prints: a line about a slow first run, the rows, or an error."""

import re

import pytest
from helpers import PYTHON, changed, first_small_trees, run_command
from kitcopy import copy_small_kit

from autograder.ground.files import store
from autograder.kit import cached_kit, load_kit
from autograder.kit.loading import CACHE, RUNNING_MISTAKES
from autograder.scoring.tasks import tasks_for
from gametree.support import texts
from gametree.support.errors import InputError
from gametree.support.texts import use_sentences

TREE = "title: t\nlesson: l\nroot: max\ntree: [[3, 5], [2, 9]]\n"
WRONG = changed(("alpha >= beta", "False"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return the root of a kit with two small trees, one mistake and a wrong submission."""
    trees = {"public/01-a.yaml": TREE, "hidden/01-b.yaml": TREE}
    root = copy_small_kit(tmp_path_factory.mktemp("grade"), trees, ["no_cutoff"])
    (root / "search.py").write_text(WRONG)
    rubric = root / "autograder" / "rubric.yaml"
    text = rubric.read_text("utf-8")
    rubric.write_text(text.replace("hints: line", "hints: mistake"), "utf-8")  # fast
    kit = cached_kit(root)
    trees = first_small_trees()
    for function in kit.rubric.assigned:  # the whole ladder takes seconds
        tasks = tasks_for(trees, kit.reference, [function])
        store(root / CACHE / f"ladder-{function}", kit.keys.programs, tasks)
    return root


@pytest.fixture
def uncached(copy):
    """Return the same root, without the known mistakes in its cache."""
    (copy / CACHE / "library").unlink(missing_ok=True)
    return copy


def run_module(copy, module, *arguments, status=0):
    """Run a module of the autograder in the copy. Return the completed process."""
    command = (PYTHON, "-m", f"autograder.{module}", *arguments)
    finished = run_command(command, copy)
    assert finished.returncode == status, finished.stderr
    return finished


def test_only_the_first_wrong_submission_says_that_it_runs_the_known_mistakes(uncached):
    first = run_module(uncached, "grade", "search.py")
    again = run_module(uncached, "grade", "search.py")
    line, *progress = first.stderr.splitlines()
    assert line == RUNNING_MISTAKES
    assert re.match(r"\d+/\d+ known mistakes run", progress[-1])
    assert again.stderr == ""
    assert first.stdout == again.stdout


@pytest.mark.parametrize("source", [None, "def minimax(:\n"], ids=["absent", "broken"])
def test_no_row_is_listed_if_no_search_was_run(copy, source):
    folder = copy / "nothing-to-run"
    folder.mkdir(exist_ok=True)
    if source:
        (folder / "search.py").write_text(source)
    finished = run_module(copy, "grade", folder, "--out", "nothing")
    total = sum(load_kit(copy).rubric.cents.values()) // 100
    assert f"Score: 0/{total}\n" in finished.stdout
    assert "public trees" not in finished.stdout


def test_a_kit_with_an_error_in_its_sentences_is_refused(copy, tmp_path, monkeypatch):
    (tmp_path / "texts.yaml").write_text("a: b: c")
    monkeypatch.setattr(texts, "TEXTS", tmp_path / "texts.yaml")
    use_sentences({})
    with pytest.raises(InputError, match="^texts.yaml, line 1: "):
        load_kit(copy)
    use_sentences({})


def test_a_folder_of_several_submissions_is_refused_with_the_command_for_a_class(copy):
    for student in ("ada", "bo"):
        (copy / "several" / student).mkdir(parents=True)
        (copy / "several" / student / "search.py").write_text(WRONG)
    finished = run_module(copy, "grade", "several", "--out", "refused", status=2)
    assert finished.stdout == ""
    advice = "several contains 2 submissions; run make grade-all SUBMISSIONS=several"
    assert finished.stderr.startswith(f"grade: {advice}")


def test_grade_all_says_once_that_it_runs_the_known_mistakes(uncached):
    (uncached / "class" / "ada").mkdir(parents=True)
    (uncached / "class" / "ada" / "search.py").write_text(WRONG)
    finished = run_module(uncached, "batch", "class")
    assert finished.stderr.splitlines().count(RUNNING_MISTAKES) == 1
