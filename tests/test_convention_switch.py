"""One command turns the whole kit to strict cutoffs, and back, byte for byte."""

import shutil
import subprocess

import pytest
from helpers import PYTHON, ROOT, tree_of
from kitcopy import copy_kit, files_of

from autograder.command import Refused
from autograder.grading import grade
from autograder.judging.divergence import LEAF, replay
from autograder.kit import load_kit, stage_as_taught
from autograder.mistakes.variants import (
    EQUALITY,
    STRICT,
    apply,
    load_variant,
    load_variants,
)
from autograder.showing.summary import feedback_text
from autograder.workbench.convention import changes, half_turned, passages
from autograder.workbench.convention import turn as turn_kit
from autograder.workbench.figures import mismatches
from autograder.workbench.handout import for_students
from autograder.workbench.killmatrix import Matrix, failures, losses, lost_by
from autograder.workbench.treesets import cutoffs, lint

REFERENCE = ROOT / "solution" / "search.py"


def turn(kit, convention):
    return {path.relative_to(kit).as_posix() for path in turn_kit(kit, convention)}


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A copy of the kit, turned to strict cutoffs."""
    copy = copy_kit(tmp_path_factory.mktemp("strict"))
    turn(copy, STRICT)
    return copy


@pytest.fixture(scope="module")
def kit(strict):
    kit = load_kit(strict)
    vars(kit).update(witnesses=frozenset(), library=kit.library.complete())
    return kit


def test_strict_and_back_gives_the_same_files(tmp_path):
    copy = copy_kit(tmp_path)
    turn(copy, EQUALITY)
    before = files_of(copy)
    turned = turn(copy, STRICT)
    assert {name for name, data in files_of(copy).items() if data != before[name]} == turned
    assert changes(copy, STRICT) == {}
    assert turned >= {
        "autograder/rubric.yaml",
        "handout.md",
        "starter/search.py",
        "starter/practice.html",
        "starter/trees/02-smallest-tie.yaml",
        "trees/README.md",
        "trees/public/02-smallest-tie.yaml",
    }
    assert turn(copy, EQUALITY) == turned
    assert files_of(copy) == before


def test_every_passage_stands_in_the_kit_as_it_is():
    for passage in passages():
        assert passage.free or list(ROOT.glob(passage.file)), passage.file
        assert passage.equality != passage.strict
        assert passage.equality not in passage.strict
        assert passage.strict not in passage.equality


def test_a_kit_that_is_half_turned_is_told_what_to_run(strict, tmp_path):
    copy = copy_kit(tmp_path)
    assert list(half_turned(copy, load_kit(copy).rubric.cutoff)) == []
    shutil.copy(strict / "starter" / "practice.html", copy / "starter")
    (copy / "starter" / "trees" / "01-largest-leaf.yaml").unlink()
    lines = list(half_turned(copy, EQUALITY))
    assert len(lines) == 2
    assert all(line.endswith("run make cutoff CONVENTION=equality") for line in lines)


def test_a_passage_that_was_reworded_is_refused_in_one_line(tmp_path):
    copy = copy_kit(tmp_path)
    text = (copy / "trees" / "README.md").read_text(encoding="utf-8")
    text = text.replace("All figures are", "The figures are")
    (copy / "trees" / "README.md").write_text(text, "utf-8")
    with pytest.raises(Refused, match="trees/README.md: the remark.* stands in neither"):
        changes(copy, STRICT)


def test_a_handout_that_was_reworded_is_turned_all_the_same(tmp_path):
    copy = copy_kit(tmp_path)
    text = (copy / "handout.md").read_text(encoding="utf-8")
    text = text.replace("Equal is enough", "Enough").replace("Equal is not enough", "No")
    (copy / "handout.md").write_text(text, "utf-8")
    turn(copy, STRICT)
    assert "Enough" not in for_students((copy / "handout.md").read_text(encoding="utf-8"))
    turn(copy, EQUALITY)
    assert (copy / "handout.md").read_text(encoding="utf-8") == text


def test_the_trees_and_their_figures_are_fit_in_a_strict_course(kit):
    assert kit.rubric.cutoff == STRICT
    assert list(mismatches(kit.tasks, STRICT)) == []
    assert list(lint(kit.public, kit.hidden, kit.reference)) == []


def test_the_reference_scores_everything_in_a_strict_course(kit, strict):
    source = stage_as_taught(strict / "solution", STRICT, strict)
    grading = grade(kit, source)
    assert grading.cents == grading.most_cents


def test_every_right_style_that_applies_stays_right(kit, strict):
    variants = load_variants(strict / "solution" / "correct", STRICT)
    assert len(variants) > 30
    small = [task for task in kit.tasks if len(task.expected.events) < 60]
    assert len(small) > 200
    for variant in variants:
        assert list(failures(variant, small)) == [], variant.name


def test_every_known_mistake_loses_points_on_hidden_trees(kit, strict):
    hidden = [task for task in kit.tasks if task.tree.name not in kit.public_names]
    for mistake in load_variants(strict / "solution" / "mistakes", STRICT):
        tasks = [task for task in hidden if task.function in mistake.shows]
        assert any(True for _ in failures(mistake, tasks)), mistake.name


def test_the_replay_visits_what_the_strict_reference_visits(kit):
    for task in kit.tasks:
        if task.function == "alphabeta" and len(task.expected.evaluated) < 200:
            steps = replay(task.tree, task.search, STRICT)
            visited = {step.path for step in steps if step.kind == LEAF}
            assert visited == task.expected.visited, task.tree.name


def strict_mistake(kit, name):
    known = load_variants(kit.root / "solution" / "mistakes", STRICT)
    return next(variant for variant in known if variant.name == name)


def test_who_prunes_ties_in_a_strict_course_is_told_so(kit):
    text = feedback_text(grade(kit, REFERENCE.read_bytes()))
    assert f"- {strict_mistake(kit, 'strict_cutoff').headline}" in text
    assert "- Stop only once alpha has passed beta" in text
    assert "{root: max, tree: [1, [1, 1]]}" in text
    assert "alpha = 1, beta = 1, so b2 can matter" in text


def test_who_writes_fail_hard_in_a_strict_course_is_told_so(kit):
    bounds = strict_mistake(kit, "fail_hard_in_a_strict_course")
    text = feedback_text(grade(kit, bounds.source.encode()))
    assert f"alphabeta: {bounds.headline}" in text


def test_readme_says_what_fail_hard_loses_in_a_strict_course(kit):
    bounds = strict_mistake(kit, "fail_hard_in_a_strict_course")
    lost = Matrix(kit, [bounds], lost_by([bounds], kit)).points_lost(bounds)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    told = f"visits leaves that need no visit, and loses {lost:.1f} of 100 points"
    assert f"(*fail-hard*) {told}" in readme
    everyday = load_variant(ROOT / "solution" / "correct" / "fail_hard.py")
    assert losses(everyday, load_kit().tasks, kit.rubric) == {}


def test_the_starters_tests_ask_for_what_the_course_teaches(strict):
    source = REFERENCE.read_text(encoding="utf-8")
    command = [PYTHON, "-B", "-m", "pytest", "-q", "-k", "alphabeta"]
    ends = []
    for text in (apply(source, STRICT), source):
        (strict / "starter" / "search.py").write_text(text, encoding="utf-8")
        ends.append(subprocess.run(command, cwd=strict / "starter", capture_output=True))
    assert [end.returncode for end in ends] == [0, 1]
    assert b"did not visit: b2" in ends[1].stdout


def test_a_students_file_is_never_read_otherwise(tmp_path, strict):
    own = tmp_path / "search.py"
    own.write_text("a >= b  # cutoff\n")
    assert stage_as_taught(own, STRICT, strict) == own.read_bytes()


def test_lessons_of_fresh_trees_say_what_ties_do():
    tree = tree_of("[1, [1, 1]]")
    assert cutoffs(tree, EQUALITY) == "a tie cuts off at MIN"
    assert cutoffs(tree, STRICT) == "a tie does not cut off at MIN"
    assert cutoffs(tree_of("[2, [1, 1]]"), STRICT) == "a cutoff at MIN"
