"""A course may omit functions or the node count in rubric.yaml."""

import pytest
import yaml
from helpers import (
    CORRECT,
    cases,
    changed,
    copy_with,
    definitions,
    kit_text,
    small_kit,
    trace_of,
    tree_of,
    trees_in,
    variant,
)

from autograder.grading import grade
from autograder.kit.loading import load_reference
from autograder.scoring.rubric import load_rubric
from autograder.scoring.scores import earned, function_scores, plan_rows
from autograder.scoring.tasks import tasks_for
from autograder.showing.results import results_of
from autograder.workbench.package import starter_files
from gametree.assignment import ASSIGNED
from gametree.support.judging import judge

PUBLIC = trees_in("public")
RUBRIC = yaml.safe_load(kit_text("autograder/rubric.yaml"))
NAMES = tuple(RUBRIC["points"])
CHOICES = [("alphabeta",), NAMES[:2], NAMES[1:], NAMES]


@pytest.fixture
def rubric_of(tmp_path):
    """Return a function: functions and changes -> the kit's rubric with only these."""

    def load(functions=NAMES, **changes):
        points = {name: RUBRIC["points"][name] for name in functions}
        rubric = {**RUBRIC, "points": points, **changes}
        path = tmp_path / "rubric.yaml"
        path.write_text(yaml.safe_dump(rubric, sort_keys=False))
        return load_rubric(path)

    return load


@pytest.fixture
def without_count(rubric_of):
    """Return the rubric of a course that does not judge the node count."""
    shares = dict(RUBRIC["shares"])
    shares["minimax"] = {"value": 50, "leaves": 50}
    shares["alphabeta"] = {"value": 20, "leaves": 80}
    return rubric_of(shares=shares)


# ---- functions


@pytest.mark.parametrize("functions", CHOICES)
def test_only_functions_with_points_have_rows(rubric_of, functions):
    rubric = rubric_of(functions)
    reference = load_reference(rubric)
    plan = plan_rows(tasks_for(PUBLIC, reference), rubric)
    rows = [planned.row for planned in plan]
    assert [score.function for score in function_scores(rows)] == list(functions)
    assert [row.number[1:] for row in rows] == [".01"] * len(functions)
    assert sum(row.max_cents for row in rows) == rubric.max_cents


@pytest.mark.parametrize("functions", CHOICES)
def test_the_starter_has_only_functions_with_points(rubric_of, kit, functions):
    rubric = rubric_of(functions)
    files = starter_files(copy_with(kit, rubric=rubric))
    stubs = files["search.py"].decode()
    assert list(definitions(stubs)) == list(functions)
    assert stubs.count('    """Return') == stubs.count("raise NotImplementedError")
    course = {}
    exec(files["gametree/assignment.py"], course)
    assert course["ASSIGNED"] == rubric.assigned


# ---- aspects


def test_a_node_count_without_a_share_is_not_judged(without_count):
    visits_twice = variant("mistakes/children_searched_twice")
    reference = load_reference(without_count)
    (task,) = tasks_for([tree_of("[1, [2, 3]]")], reference, ["alphabeta"])
    verdict = judge(task, trace_of(visits_twice.source, task))
    assert verdict.aspects == {"value": True, "leaves": True}
    assert earned(without_count, "alphabeta", verdict.aspects) == 1


@cases("mistakes without a node count")
def test_a_mistake_concerns_a_course_only_if_the_course_judges_what_it_shows(
    name, without_a_count, without_count
):
    mistake = variant(f"mistakes/{name}")
    assert mistake.concerns(ASSIGNED)
    assert mistake.concerns(without_count.assigned) == without_a_count
    assert not mistake.concerns({"minimax": ("value",)})


# ---- rows that students do not see


@cases("rows that students do not see")
def test_the_feedback_reveals_nothing_about_a_hidden_row(visibility, follows):
    public = (tree_of("[2, 1]"),)
    hidden = (tree_of("[1, [1, 1]]", name="tie"),)
    kit = small_kit(public, hidden, visibility=visibility)
    sources = CORRECT, changed(("alpha >= beta", "alpha > beta"))
    right, wrong = [results_of(grade(kit, source.encode())) for source in sources]
    assert wrong["score"] < right["score"]
    assert wrong["output"] == right["output"]
    visible = [row for row in right["tests"] if "visibility" not in row]
    total = sum(row["max_score"] for row in visible)
    assert f"Score: {total:g}/{total:g} (" in right["output"]
    unseen = f"{len(NAMES)} more rows, worth {100 - total:g} points, {follows} and"
    assert unseen in right["output"]
