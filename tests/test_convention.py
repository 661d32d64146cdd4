"""A strict course: one line in the rubric, and the kit's own files are read otherwise."""

import re
import subprocess
from dataclasses import replace

import pytest
from helpers import PYTHON, ROOT
from kitcopy import copy_kit

from autograder.command import Refused
from autograder.grading import grade
from autograder.judging.steps import LEAF, replay
from autograder.kit import load_kit, stage_submission
from autograder.mistakes.variants import (
    MARK,
    STRICT,
    apply_convention,
    load_variant,
    load_variants,
    run_source,
)
from autograder.showing.summary import feedback_text
from autograder.workbench.killmatrix import failures
from autograder.workbench.package import starter_files

SOLUTION = ROOT / "solution"
REFERENCE = SOLUTION / "search.py"
FILES = sorted(SOLUTION.rglob("*.py"))


EXCHANGED = {  # line -> the same in a strict course
    "if a >= b: pass  # cutoff\n": "if a > b: pass  # cutoff\n",
    "if b <= a: pass  # cutoff\n": "if b < a: pass  # cutoff\n",
    "x = a > b  # cutoff\n": "x = a >= b  # cutoff\n",
    "x = a >= b\n": "x = a >= b\n",
    'x = "a >= b # cutoff"\n': 'x = "a >= b # cutoff"\n',
}


def test_strict_exchanges_comparisons_on_marked_lines_and_nothing_else():
    for line, strict in EXCHANGED.items():
        assert apply_convention(line, "strict") == strict
        assert apply_convention(line, "equality") is line
    for path in FILES:
        source = path.read_text()
        strict = apply_convention(source, "strict")
        assert strict.count("\n") == source.count("\n"), path
        assert apply_convention(strict, "strict") == source, path
    with pytest.raises(ValueError, match="write 'equality' or 'strict'"):
        apply_convention("", "lax")


def test_every_comparison_of_alpha_with_beta_is_marked_and_alone_on_its_line():
    comparison = re.compile(r"\b(alpha|lower)\b *(>=|>|<=|<) *\b(beta|upper)\b")
    for path in FILES:
        for line in path.read_text().split('"""', 2)[2].splitlines():
            code, marked = line.split("#")[0], line.endswith(MARK)
            if comparison.search(code):
                assert marked or " or alpha < beta" in line, path.name
            if marked:
                assert len(re.findall("[<>]=?|==", code)) == 1, line


def test_a_header_gives_headline_next_step_and_what_is_shown():
    path = SOLUTION / "mistakes" / "strict_cutoff_at_min.py"
    variant, strict = load_variant(path), load_variant(path, STRICT)
    assert variant.headline.startswith("At MIN nodes you stop only when alpha > beta")
    assert variant.next_step.startswith("Compare your two cutoff tests")
    assert variant.shows == {"alphabeta": ("extra",)}
    assert variant.conventions == ("equality", "strict")
    assert strict.headline.startswith("At MIN nodes you stop already when alpha equals")
    assert "if alpha >= beta:  # cutoff" in strict.source


def test_fail_hard_styles_are_left_out_of_a_strict_course():
    everyday = {v.name for v in load_variants(SOLUTION / "correct")}
    strict = {v.name for v in load_variants(SOLUTION / "correct", STRICT)}
    fail_hard = "bound_at_cutoff clamped fail_hard fail_hard_from_the_bound"
    assert everyday - strict == {*fail_hard.split()}


def test_each_module_is_executed_afresh_without_the_kits_future_imports():
    variant = load_variant(SOLUTION / "mistakes" / "table_by_name.py")
    assert variant.module().known is not variant.module().known
    assert run_source("def f(x: int): pass\n").f.__annotations__ == {"x": int}


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A copy of the kit whose rubric has the one line of a strict course."""
    copy = copy_kit(tmp_path_factory.mktemp("strict"))
    rubric = copy / "autograder" / "rubric.yaml"
    text = rubric.read_text(encoding="utf-8")
    assert "\ncutoff: equality\n" in text
    rubric.write_text(text.replace("\ncutoff: equality\n", "\ncutoff: strict\n"), "utf-8")
    return copy


@pytest.fixture(scope="module")
def kit(strict):
    return load_kit(strict)


@pytest.fixture(scope="module")
def small_kit(kit):
    """The same with two hidden trees, so that the known mistakes are run soon."""
    hidden = kit.hidden[:2]
    tasks = tuple(t for t in kit.tasks if t.tree in (*kit.public, *hidden))
    return replace(kit, hidden=hidden, tasks=tasks)


def test_the_reference_scores_everything_in_a_strict_course(kit, strict):
    source = stage_submission(strict / "solution", STRICT, strict)
    grading = grade(kit, source)
    assert grading.cents == grading.max_cents


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


def told_of(kit, name, source):
    """Return what a submission is told in a strict course, and a mistake's headline."""
    mistake = load_variant(kit.root / "solution" / "mistakes" / f"{name}.py", STRICT)
    grading = grade(kit, source or mistake.source.encode())
    assert grading.cents < grading.max_cents
    return feedback_text(grading), mistake.headline


def test_who_prunes_ties_or_writes_fail_hard_in_a_strict_course_is_told_so(
    small_kit, monkeypatch
):
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 1)  # on a busy machine too
    text, headline = told_of(small_kit, "strict_cutoff", REFERENCE.read_bytes())
    assert f"- {headline}" in text
    assert " > 30         if alpha >= beta:  # cutoff" in text
    assert "{root: max, tree: [1, [1, 1]]}" in text
    assert "alpha = 1, beta = 1, so b2 can matter" in text
    text, headline = told_of(small_kit, "fail_hard_in_a_strict_course", None)
    assert f"alphabeta: {headline}" in text


def test_the_starters_tests_ask_for_what_the_course_teaches(strict, tmp_path):
    for name, content in starter_files(load_kit(strict)).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert "only when alpha > beta" in (tmp_path / "search.py").read_text(encoding="utf-8")
    assert 'cutoff: "strict"' in (tmp_path / "practice.html").read_text(encoding="utf-8")
    source = REFERENCE.read_text(encoding="utf-8")
    command = [PYTHON, "-B", "-m", "pytest", "-q", "-k", "alphabeta"]
    ends = []
    for text in (apply_convention(source, STRICT), source):
        (tmp_path / "search.py").write_text(text, encoding="utf-8")
        ends.append(subprocess.run(command, cwd=tmp_path, capture_output=True))
    assert [end.returncode for end in ends] == [0, 1]
    assert b"did not visit b2" in ends[1].stdout


def test_a_stub_that_was_reworded_is_refused_in_one_line_when_packing(strict, tmp_path):
    copy = copy_kit(tmp_path)
    rubric = (strict / "autograder" / "rubric.yaml").read_bytes()
    (copy / "autograder" / "rubric.yaml").write_bytes(rubric)
    path = copy / "starter" / "search.py"
    path.write_text(
        path.read_text().replace("left to right, and stop", "in order, and stop")
    )
    with pytest.raises(Refused, match="starter/search.py: it was reworded where cutoff:"):
        starter_files(load_kit(copy))


def test_a_students_file_is_never_read_otherwise(tmp_path, strict):
    own = tmp_path / "search.py"
    own.write_text("a >= b  # cutoff\n")
    assert stage_submission(own, STRICT, strict) == own.read_bytes()
