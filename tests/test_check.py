"""`make check` proves the kit, and fails with the tree, the mistake and the next step."""

import csv
import dataclasses
import re

import pytest
from helpers import ROOT, reference, tasks_of, tree_of
from kitcopy import copy_kit

from autograder.kit import load_kit, prepare
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.utilities import in_parallel
from autograder.workbench import check
from autograder.workbench.check import (
    Report,
    charged_for,
    little_work,
    tree_to_add,
)
from autograder.workbench.killmatrix import Matrix, losses, smallest_killing_tree
from autograder.workbench.properties import mismatches
from gametree import parse_tree

MISTAKES = {m.name: m for m in load_variants(ROOT / "solution" / "mistakes")}
LAZY = {p.name: p for p in load_variants(ROOT / "solution" / "lazy")}
RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")
TIE = tree_of("[1, [1, 1]]", name="tie")
NO_TIE = tree_of("[3, [2, 1]]", name="no-tie")


def kit_of(*trees, **changes):
    """Return the kit with these hidden trees only."""
    return dataclasses.replace(
        load_kit(), public=(), hidden=trees, tasks=tuple(tasks_of(*trees)), **changes
    )


def matrix_of(kit, *programs):
    lost = in_parallel(lambda each: losses(each, kit.tasks, kit.rubric), programs)
    return Matrix(kit, programs, dict(zip((each.name for each in programs), lost)))


def test_points_are_lost_where_the_mistake_shows_and_only_there(tmp_path):
    matrix = matrix_of(kit_of(TIE, NO_TIE), MISTAKES["strict_cutoff"])
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
    free = dataclasses.replace(RUBRIC, cents={**RUBRIC.cents, "best_move": 0})
    matrix = matrix_of(kit_of(TIE, NO_TIE, rubric=free), MISTAKES["move_as_index"])
    assert matrix.trees == {"move_as_index": set()}
    charged, uncharged = charged_for(MISTAKES.values(), free)
    assert MISTAKES["move_as_index"] in uncharged and MISTAKES["no_cutoff"] in charged
    asked = [each for each in MISTAKES.values() if each.concerns(RUBRIC.asked)]
    assert len(asked) > 200 and charged_for(asked, RUBRIC)[1] == []


def test_a_mistake_that_the_rubric_does_not_charge_for_kills_nothing():
    free = {"value": 15, "leaves": 85, "node count": 0}
    rubric = dataclasses.replace(RUBRIC, shares={**RUBRIC.shares, "alphabeta": free})
    twice = MISTAKES["children_searched_twice"]
    tasks = tasks_of(tree_of("[[3, 9], [2, 1]]"), functions=("alphabeta",))
    assert losses(twice, tasks, RUBRIC) == {0: 0.2}
    assert losses(twice, tasks, rubric) == {}


def test_on_the_kits_own_trees_the_right_lose_nothing_and_the_lazy_what_they_should():
    kit = prepare()
    right = load_variants(ROOT / "solution" / "correct")
    saying = [each for each in (*LAZY.values(), *MISTAKES.values()) if each.points]
    matrix = matrix_of(kit, *right, *saying)
    assert [each.name for each in right if matrix.points_lost(each)] == []
    assert len(saying) >= 16
    assert [line for line in little_work(kit, matrix, saying) if "warning" in line] == []


def test_what_earns_more_than_its_header_says_is_a_warning_with_the_figure():
    kit, alone = prepare(), LAZY["minimax_alone"]
    matrix = matrix_of(kit, alone)
    lines = list(little_work(kit, matrix, [dataclasses.replace(alone, points=(0, 20))]))
    assert lines[1] == "warning  25.00  minimax_alone: its header says 0 to 20 %"
    assert list(little_work(kit, matrix, [alone]))[1] == "         25.00  minimax_alone"


def test_a_concept_without_trees_is_told(capsys):
    kit = load_kit()
    kit = dataclasses.replace(
        kit, tasks=tuple(t for t in kit.tasks if t.search.full_window)
    )
    check.warn_of_rows(kit)
    assert "no tree is about alphabeta: a window that is given" in capsys.readouterr().out


def test_what_escapes_is_told_with_the_mistake_and_a_tree_to_add():
    kit = dataclasses.replace(load_kit(), tasks=())
    line = tree_to_add(kit, MISTAKES["strict_cutoff_at_min"], set())
    assert line == (
        "nothing tells 'strict_cutoff_at_min' from right: "
        "add a tree such as MAX [1, [1, 1]]"
    )
    assert "only 1 tree tells" in tree_to_add(kit, MISTAKES["strict_cutoff"], {"x"})


def test_a_mistake_loses_points_on_its_smallest_killing_tree():
    assert smallest_killing_tree(MISTAKES["no_cutoff"], reference()) == "MAX [1, [1, 1]]"


def test_a_published_figure_that_is_wrong_is_said_with_both_figures():
    published = "published: {value: 2, nodes: 4}"
    tree = parse_tree(
        f"title: T\nlesson: l\nroot: max\ntree: [1, [1, 1]]\n{published}\n", "t"
    )
    lines = list(mismatches([tree], reference()))
    assert "t: published value is 2, the reference's is 1; mend the file" in lines
    assert not any("nodes" in line for line in lines)


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


def test_what_a_small_set_misses_is_one_warning_that_fails_nothing(capsys):
    report = Report(10)
    report.missing("all is there", "things are missing", [])
    report.missing("mistakes lose points", "mistakes that lose nothing", ["one", "two"])
    report.missing("trees show", "kinds of trees", ["three"])
    report.warn()
    assert report.failed == []
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "ok      all is there",
        "few     mistakes lose points",
        "few     trees show",
        "warning 10 hidden trees are few (a full set has 40): mistakes that lose "
        "nothing: 2; kinds of trees: 1",
        "        five more that fill gaps: make trees KEEP=1 COUNT=5",
    ]


def test_of_a_full_set_the_same_fails_the_check(capsys):
    report = Report(40)
    report.missing("mistakes lose points", "mistakes that lose nothing", ["one"])
    report.warn()
    assert report.failed == ["mistakes lose points"]
    assert capsys.readouterr().out == "FAILED  mistakes lose points\n        one\n"
