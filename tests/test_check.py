"""`make check` proves the kit, and fails with the tree, the mistake and the next step."""

import csv
import dataclasses
import re

import pytest
from helpers import ROOT, reference, tasks_of, tree_of
from kitcopy import copy_kit

from autograder.command import Refused
from autograder.kit import load_kit, prepare
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.workbench.check import (
    Report,
    charged_for,
    copies_that_differ,
    tree_to_add,
    wrong_figures,
)
from autograder.workbench.convention import changes, half_turned
from autograder.workbench.figures import mismatches
from autograder.workbench.killmatrix import (
    Matrix,
    losses,
    lost_by,
    smallest_killing_tree,
)
from autograder.workbench.pointcheck import check_points
from gametree import parse_tree

MISTAKES = {m.name: m for m in load_variants(ROOT / "solution" / "mistakes")}
RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")
TIE = tree_of("[1, [1, 1]]", name="tie")
NO_TIE = tree_of("[3, [2, 1]]", name="no-tie")


def kit_of(*trees, **changes):
    """Return the kit with these hidden trees only."""
    return dataclasses.replace(
        load_kit(), public=(), hidden=trees, tasks=tuple(tasks_of(*trees)), **changes
    )


def matrix_of(kit, *names):
    some = [MISTAKES[name] for name in names]
    return Matrix(kit, some, {m.name: losses(m, kit.tasks, kit.rubric) for m in some})


def test_points_are_lost_where_the_mistake_shows_and_only_there(tmp_path):
    matrix = matrix_of(kit_of(TIE, NO_TIE), "strict_cutoff")
    assert matrix.trees["strict_cutoff"] == {"tie"}
    (ties,) = (row for row in matrix.rows if row.name == "alphabeta: ties")
    lost = dict(zip(matrix.rows, matrix.lost["strict_cutoff"]))
    assert lost.pop(ties) == matrix.points_lost(MISTAKES["strict_cutoff"]) > 0
    assert not any(lost.values())
    matrix.write(tmp_path / "matrix.csv")
    head, line = csv.reader((tmp_path / "matrix.csv").open())
    assert dict(zip(head, line))["names of the trees"] == "tie"
    assert dict(zip(head, line))[f"{ties.number} alphabeta: ties"] == line[1] != "0"


def test_a_mistake_in_a_function_worth_nothing_loses_no_points_and_is_told_apart():
    free = dataclasses.replace(RUBRIC, cents={**RUBRIC.cents, "best_move": 0})
    matrix = matrix_of(kit_of(TIE, NO_TIE, rubric=free), "move_as_index")
    assert matrix.trees == {"move_as_index": set()}
    charged, uncharged = charged_for(MISTAKES.values(), free)
    assert MISTAKES["move_as_index"] in uncharged and MISTAKES["no_cutoff"] in charged
    asked = [each for each in MISTAKES.values() if each.concerns(RUBRIC.asked)]
    assert len(asked) > 200 and charged_for(asked, RUBRIC)[1] == []


def test_losses_are_the_same_however_many_processes_find_them():
    some = list(MISTAKES.values())[:10]
    kit = dataclasses.replace(load_kit(), tasks=tuple(tasks_of(TIE, NO_TIE)))
    assert lost_by(some, kit) == {m.name: losses(m, kit.tasks, RUBRIC) for m in some}


def test_no_right_program_loses_a_point_on_the_kits_own_trees():
    kit = load_kit()
    for variant in load_variants(ROOT / "solution" / "correct"):
        assert losses(variant, kit.tasks, RUBRIC) == {}, variant.name


def test_a_mistake_that_the_rubric_does_not_charge_for_kills_nothing():
    free = {"value": 15, "leaves": 85, "node count": 0}
    rubric = dataclasses.replace(RUBRIC, shares={**RUBRIC.shares, "alphabeta": free})
    twice = MISTAKES["children_searched_twice"]
    tasks = tasks_of(tree_of("[[3, 9], [2, 1]]"), functions=("alphabeta",))
    assert losses(twice, tasks, RUBRIC) == {0: 0.2}
    assert losses(twice, tasks, rubric) == {}


def test_a_program_that_earns_more_than_its_header_says_fails_the_check(capsys):
    kit, report = prepare(), Report()
    lazy = {p.name: p for p in load_variants(ROOT / "solution" / "lazy")}
    alone = dataclasses.replace(lazy["minimax_alone"], points=(0, 20))
    check_points(kit, report, [alone], lost_by([alone], kit))
    assert report.failed == ["wrong programs earn what their headers allow"]
    line = "minimax_alone.py earns 25, its header says 0 to 20; mend the trees"
    assert line in capsys.readouterr().out


def test_a_concept_without_trees_is_told(capsys):
    kit = load_kit()
    kit = dataclasses.replace(
        kit, tasks=tuple(t for t in kit.tasks if t.search.full_window)
    )
    check_points(kit, Report(), [], {})
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
    lines = list(mismatches(tasks_of(tree)))
    assert "t: published value is 2, the reference's is 1; mend the file" in lines
    assert not any("nodes" in line for line in lines)


def test_a_wrong_published_figure_is_one_message_and_no_command_writes_over_it(tmp_path):
    copy = copy_kit(tmp_path)
    path = copy / "trees/public/01-largest-leaf.yaml"
    text = path.read_text()
    path.write_text(re.sub(r"(?<=nodes: )\d+", "99", text))
    assert path.read_text() != text
    kit = load_kit(copy)
    figures = wrong_figures(kit)
    assert [len(lines) for lines in figures.values()] == [1]
    assert list(copies_that_differ(kit, figures)) == []
    assert list(half_turned(copy, "equality", figures)) == []
    for convention in ("equality", "strict"):
        with pytest.raises(Refused, match="published nodes is 99, the reference's is"):
            changes(copy, convention)


def test_a_figure_of_the_other_rule_for_ties_waits_to_be_turned(tmp_path):
    copy = copy_kit(tmp_path)
    path = copy / "trees/public/02-smallest-tie.yaml"
    (strict,) = (text for p, text in changes(copy, "strict").items() if p == path)
    path.write_text(strict)
    assert wrong_figures(load_kit(copy)) == {}
    (line,) = half_turned(copy, "equality")
    assert line.endswith("run make cutoff CONVENTION=equality")


def test_the_kits_own_published_figures_are_the_references():
    assert list(mismatches(load_kit().tasks)) == []


def test_a_copy_that_differs_is_said(tmp_path):
    kit = dataclasses.replace(load_kit(), root=tmp_path)
    for folder in ("trees/public", "starter/trees"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "trees/public/a.yaml").write_text("new")
    assert list(copies_that_differ(kit)) == [
        "starter/trees/a.yaml is not trees/public/a.yaml: run make copies"
    ]


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
    assert "warning" not in capsys.readouterr().out


def test_a_proof_with_a_problem_fails_the_check(capsys):
    report = Report()
    report("this holds", [])
    report("this does not", ["because"])
    assert report.failed == ["this does not"]
    assert "FAILED  this does not" in capsys.readouterr().out
