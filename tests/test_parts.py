"""Parts to choose: rubric.yaml leaves functions or the node count out, and all follows."""

from itertools import chain, combinations

import pytest
import yaml
from helpers import (
    REFERENCE_SOURCE,
    ROOT,
    changed,
    definitions,
    reference,
    task_of,
    tasks_of,
    trace_of,
    tree_of,
)

from autograder.grading import grade
from autograder.judging.scores import earned, function_scores, plan_rows
from autograder.kit import Kit, load_kit, load_reference
from autograder.mistakes.library import Library
from autograder.mistakes.variants import load_variant
from autograder.results import results_of
from autograder.rubricfile import RubricError, load_rubric
from autograder.tasks import tasks_for
from autograder.workbench.package import starter_files, stubs_of, table_of
from gametree import load_trees
from gametree.course import ASSIGNED
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge

NAMES = tuple(ASSIGNED)
CHOICES = [*chain.from_iterable(combinations(NAMES, n) for n in range(1, len(NAMES) + 1))]
GIVEN = yaml.safe_load((ROOT / "autograder" / "rubric.yaml").read_text(encoding="utf-8"))
PUBLIC = load_trees(ROOT / "trees" / "public")


def rubric_of(folder, functions=NAMES, **changes):
    points = {name: GIVEN["points"][name] for name in functions}
    path = folder / "rubric.yaml"
    path.write_text(yaml.safe_dump({**GIVEN, "points": points, **changes}))
    return load_rubric(path)


def test_rows_and_the_starters_stubs_are_those_of_the_functions_with_points(tmp_path):
    text = (ROOT / "starter" / "search.py").read_text(encoding="utf-8")
    names = {tree.name for tree in PUBLIC}
    for functions in CHOICES:
        rubric = rubric_of(tmp_path, functions)
        reference = load_reference(assigned=rubric.assigned)
        rows = plan_rows(tasks_for(PUBLIC, reference), rubric, names)
        assert [part.function for part in function_scores(rows)] == [*functions]
        assert [row.number[1:] for row in rows] == [".01"] * len(functions)
        assert sum(row.max_cents for row in rows) == sum(rubric.cents.values())
        stubs = stubs_of(text, rubric.assigned)
        assert [*definitions(stubs)] == [*functions]
        assert stubs.count("    depth:") == stubs.count("raise NotImplementedError")


def test_of_the_kits_own_rubric_the_starter_is_the_folder():
    for name, content in starter_files(load_kit()).items():
        if name not in ("handout.md", "gametree/texts.yaml"):
            assert content == (ROOT / "starter" / name).read_bytes(), name


def test_the_starters_table_is_python_and_says_what_the_rubric_says():
    asked, made = {"alphabeta": ("value", "leaves")}, {}
    exec(table_of((ROOT / "starter" / "gametree" / "course.py").read_text(), asked), made)
    assert made["ASSIGNED"] == {"alphabeta": ["value", "leaves"]}
    assert {name: [*FUNCTIONS[name].aspects] for name in NAMES} == ASSIGNED


def without_count(folder):
    shares = {
        "minimax": {"value": 50, "leaves": 50},
        "alphabeta": {"value": 20, "leaves": 80},
    }
    return rubric_of(folder, shares={**GIVEN["shares"], **shares})


def test_without_its_share_the_node_count_is_not_judged(tmp_path):
    twice = load_variant(ROOT / "solution" / "mistakes" / "children_searched_twice.py")
    task = task_of("[1, [2, 3]]", "alphabeta")
    rubric = without_count(tmp_path)
    reference = load_reference(assigned=rubric.assigned)
    (fewer,) = tasks_for([task.tree], reference, ["alphabeta"])
    run = trace_of(twice.source, task)
    assert judge(task, run).aspects == {"value": True, "leaves": True, "node count": False}
    assert judge(fewer, run).aspects == {"value": True, "leaves": True}
    right = judge(fewer, fewer.expected)
    assert earned(rubric, right) == earned(rubric, judge(fewer, run)) == 1


def test_a_function_must_be_asked_and_no_other_share_may_be_left_out(tmp_path):
    with pytest.raises(RubricError, match="points: no function is asked"):
        rubric_of(tmp_path, ())
    for share in ("value", "leaves"):
        shares = {**GIVEN["shares"], "alphabeta": {share: 100}}
        with pytest.raises(RubricError, match="shares: alphabeta: .* is missing; add it"):
            rubric_of(tmp_path, shares=shares)


def test_a_mistake_counts_only_where_it_shows_in_what_is_asked(tmp_path):
    mistakes = ROOT / "solution" / "mistakes"
    ties, twice, move = (
        load_variant(mistakes / f"{name}.py")
        for name in ("strict_cutoff", "children_searched_twice", "first_move_taken")
    )
    asked = without_count(tmp_path).assigned
    assert [each.concerns(ASSIGNED) for each in (ties, twice, move)] == [True, True, True]
    assert [each.concerns(asked) for each in (ties, twice, move)] == [True, False, True]
    only = {"minimax": ("value",)}
    assert [each.concerns(only) for each in (ties, twice, move)] == [False, False, False]


def test_what_is_said_tells_nothing_of_a_row_that_is_not_seen(tmp_path):
    rubric = rubric_of(tmp_path, visibility="after_published")
    public, hidden = (tree_of("[2, 1]"),), (tree_of("[1, [1, 1]]", name="tie"),)
    tasks = tasks_of(*public) + tasks_for(hidden, reference(), hidden=True)
    kit = Kit(ROOT, rubric, public, hidden, tuple(tasks))
    vars(kit).update(library=Library((), kit.tasks))
    right = results_of(grade(kit, REFERENCE_SOURCE))
    wrong = results_of(grade(kit, changed(("alpha >= beta", "alpha > beta")).encode()))
    assert wrong["score"] < right["score"]
    assert wrong["output"] == right["output"]
    assert "Score: 33.13/33.13 (minimax 9.38/9.38, " in right["output"]
    assert "3 more rows are not shown now" in right["output"]
    seen = {test["number"]: test.get("visibility") for test in wrong["tests"]}
    assert [seen[f"{n}.01"] for n in (1, 2, 3)] == [None] * 3
    assert [seen[f"{n}.02"] for n in (1, 2, 3)] == ["after_published"] * 3
