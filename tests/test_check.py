"""`make check` proves the kit, and fails with the tree, the mistake and the next step."""

import csv
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from helpers import ROOT, reference, tasks_of, tree_of
from kitcopy import copy_kit

from autograder.kit import load_kit, prepare
from autograder.mistakes.variants import load_variants
from autograder.rubricfile import load_rubric
from autograder.workbench import check
from autograder.workbench.check import (
    Report,
    charged_for,
    points_earned,
    tree_to_add,
)
from autograder.workbench.killmatrix import Matrix, losses

MISTAKES = {m.name: m for m in load_variants(ROOT / "solution" / "mistakes")}
LAZY = {p.name: p for p in load_variants(ROOT / "solution" / "lazy")}
RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")
TIE = tree_of("[1, [1, 1]]", name="tie")
NO_TIE = tree_of("[3, [2, 1]]", name="no-tie")


def kit_of(*trees, **changes):
    """Return the kit with these hidden trees only."""
    tasks = tuple(tasks_of(*trees))
    return replace(prepare(), public=(), hidden=trees, tasks=tasks, **changes)


def test_points_are_lost_where_the_mistake_shows_and_only_there(tmp_path):
    matrix = Matrix(kit_of(TIE, NO_TIE), [MISTAKES["strict_cutoff"]])
    assert matrix.trees["strict_cutoff"] == {"tie"}
    (ties,) = (row for row in matrix.rows if row.name == "alphabeta: ties")
    lost = dict(zip(matrix.rows, matrix.lost["strict_cutoff"]))
    assert lost.pop(ties) == matrix.points_lost(MISTAKES["strict_cutoff"]) > 0
    assert not any(lost.values())
    matrix.write(tmp_path / "build" / "matrix.csv")
    (line,) = csv.DictReader((tmp_path / "build" / "matrix.csv").open())
    assert line["program"] == "strict_cutoff" and line["trees"] == "1"
    assert float(line["points"]) == float(line["alphabeta: ties"]) > 0
    assert (line["tie"], line["no-tie"]) == ("1", "")


def test_a_mistake_in_a_function_worth_nothing_loses_no_points_and_is_told_apart():
    free = replace(RUBRIC, cents={**RUBRIC.cents, "best_move": 0})
    matrix = Matrix(kit_of(TIE, NO_TIE, rubric=free), [MISTAKES["move_as_index"]])
    assert matrix.trees == {"move_as_index": set()}
    charged = charged_for(MISTAKES.values(), free)
    assert MISTAKES["move_as_index"] not in charged and MISTAKES["no_cutoff"] in charged
    asked = [each for each in MISTAKES.values() if each.concerns(RUBRIC.assigned)]
    assert len(asked) > 200 and charged_for(asked, RUBRIC) == asked


def test_a_mistake_that_the_rubric_does_not_charge_for_kills_nothing():
    free = {"value": 15, "leaves": 85, "node count": 0}
    rubric = replace(RUBRIC, shares={**RUBRIC.shares, "alphabeta": free})
    twice = MISTAKES["children_searched_twice"]
    tasks = tasks_of(tree_of("[[3, 9], [2, 1]]"), functions=("alphabeta",))
    assert losses(twice, tasks, RUBRIC) == {tasks[0].key: 0.2}
    assert losses(twice, tasks, rubric) == {}


def test_on_the_kits_own_trees_the_right_lose_nothing_and_the_lazy_what_they_should():
    kit, alone = prepare(), LAZY["minimax_alone"]
    right = load_variants(ROOT / "solution" / "correct")
    saying = [each for each in (*LAZY.values(), *MISTAKES.values()) if each.points]
    matrix = Matrix(kit, [*right, *saying])
    assert [each.name for each in right if matrix.points_lost(each)] == []
    assert len(saying) >= 16
    assert [line for line in points_earned(kit, matrix, saying) if "warning" in line] == []
    assert list(points_earned(kit, matrix, [alone]))[1] == "         25.00  minimax_alone"
    lines = list(points_earned(kit, matrix, [replace(alone, points=(0, 20))]))
    assert lines[1] == "warning  25.00  minimax_alone: its header says 0 to 20 %"
    moved = replace(kit, rubric=replace(kit.rubric, cents={"alphabeta": 7500}))
    assert list(points_earned(moved, matrix, [alone]))[1] == "          0.00  minimax_alone"


def test_a_concept_without_trees_is_told(capsys):
    kit = prepare()
    tasks = tuple(task for task in kit.tasks if task.search.full_window)
    check.warn_of_concepts_without_trees(replace(kit, tasks=tasks))
    assert "no tree is about alphabeta: a window that is given" in capsys.readouterr().out


def test_what_escapes_is_told_with_the_mistake_and_a_tree_to_add():
    kit = SimpleNamespace(reference=reference())
    line = tree_to_add(kit, MISTAKES["strict_cutoff_at_min"], {"x"})
    assert line == (
        "hidden trees that tell 'strict_cutoff_at_min' from right: 1; "
        "add a tree such as MAX [1, [1, 1]]"
    )


def test_a_wrong_published_figure_ends_the_check_before_any_program_is_run(
    tmp_path, monkeypatch, capsys
):
    copy = copy_kit(tmp_path)
    path = copy / "trees/public/01-largest-leaf.yaml"
    path.write_text(re.sub(r"(?<=nodes: )\d+", "99", path.read_text()))
    monkeypatch.setattr(check, "load_kit", lambda: load_kit(copy))
    monkeypatch.setattr(check, "in_parallel", lambda *_: pytest.fail("programs were run"))
    assert check.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].strip() == "published figures are reproduced"
    said = "01-largest-leaf: published nodes is 99, the reference's is"
    assert len([line for line in lines if said in line]) == 1


def test_what_a_small_set_misses_is_a_warning_and_fails_the_check_of_a_full_one(capsys):
    for trees in (10, 40):
        report = Report(trees)
        report.record("all is there", [], missing="things")
        report.record(
            "mistakes lose points", ["one", "two"], missing="mistakes that lose nothing"
        )
        report.record("trees show", ["three"], missing="kinds of trees")
        report.warn_of_small_set()
        failing = ["mistakes lose points", "trees show"]
        assert report.failed == (failing if trees == 40 else [])
    assert capsys.readouterr().out.splitlines() == [
        "ok      all is there",
        "few     mistakes lose points",
        "few     trees show",
        "warning 10 hidden trees are few (a full set has 40): mistakes that lose "
        "nothing: 2; kinds of trees: 1",
        "        five more that fill gaps: make trees KEEP=1 COUNT=5",
        "ok      all is there",
        "FAILED  mistakes lose points",
        "        one",
        "        two",
        "FAILED  trees show",
        "        three",
    ]
