"""`make check` proves the kit, and fails with the tree, the mistake and the next step."""

import dataclasses

from helpers import ROOT, reference, tasks_of, tree_of

from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.workbench.check import Report, copies_that_differ, tree_to_add
from autograder.workbench.figures import mismatches
from autograder.workbench.killmatrix import kill_matrix, rows_lost, smallest_killing_tree
from gametree import parse_tree

MISTAKES = {m.name: m for m in load_variants(ROOT / "solution" / "mistakes")}
TIE = tree_of("[1, [1, 1]]", name="tie")
NO_TIE = tree_of("[3, [2, 1]]", name="no-tie")


def test_a_row_is_lost_where_the_mistake_shows_and_only_there():
    lost = rows_lost(MISTAKES["strict_cutoff"], tasks_of(TIE, NO_TIE))
    assert lost == {("alphabeta", "tie")}


def test_the_matrix_is_the_same_however_many_processes_make_it():
    some = list(MISTAKES.values())[:10]
    tasks = tasks_of(TIE, NO_TIE)
    assert kill_matrix(some, tasks) == {m.name: rows_lost(m, tasks) for m in some}


def test_no_right_program_loses_a_row_on_the_kits_own_trees():
    kit = load_kit()
    for variant in load_variants(ROOT / "solution" / "correct"):
        functions = ("alphabeta",)
        assert rows_lost(variant, kit.tasks, functions) == set(), variant.name


def test_what_escapes_is_told_with_the_mistake_and_a_tree_to_add():
    kit = dataclasses.replace(load_kit(), tasks=())
    line = tree_to_add(kit, MISTAKES["strict_cutoff_at_min"], set())
    assert line == (
        "nothing tells 'strict_cutoff_at_min' from right: "
        "add a tree such as MAX [1, [1, 1]]"
    )
    assert "only 1 row tells" in tree_to_add(
        kit, MISTAKES["strict_cutoff"], {("alphabeta", "x")}
    )


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


def test_a_proof_with_a_problem_fails_the_check(capsys):
    report = Report()
    report("this holds", [])
    report("this does not", ["because"])
    assert report.failed == ["this does not"]
    assert "FAILED  this does not" in capsys.readouterr().out
