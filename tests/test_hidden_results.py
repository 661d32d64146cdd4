"""No screen, page or book can reach a hidden tree, or the events of its search."""

import dataclasses
import typing
from inspect import isclass

import pytest
from test_imports import ROOT, imports_of

from autograder.grading import Grading
from autograder.scoring.scores import Result
from gametree.support.judging import Task
from gametree.support.trace import Trace
from gametree.support.tree import Tree

SECRET = (Task, Trace, Tree)
LATE = {"Localisation": str, "Variant": str}  # types that are imported late
# The parts of a Grading that lead to a tree or a search: all are public, small or correct.
OPEN = {"public", "load_failure", "explanation"}
SHOWING = sorted(
    path
    for folder in ("showing", "course")
    for path in (ROOT / "autograder" / folder).glob("*.py")
)


def fields_of(kind):
    """Return name -> type of the fields of a record, {} for any other type."""
    is_record = dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
    if not (isclass(kind) and is_record):
        return {}
    return typing.get_type_hints(kind, localns=LATE)


def types_within(kind, seen=None):
    """Return all types that the annotations of a type lead to, itself included."""
    seen = set() if seen is None else seen
    if kind not in seen:
        seen.add(kind)
        for part in (*typing.get_args(kind), *fields_of(kind).values()):
            if part is not Ellipsis:
                types_within(part, seen)
    return seen


def test_a_result_has_its_aspects_and_its_ending_alone():
    assert list(fields_of(Result)) == ["aspects", "ending"]


def test_only_public_parts_of_a_grading_lead_to_a_tree_or_a_search():
    leading = {
        name
        for name, kind in fields_of(Grading).items()
        if not types_within(kind).isdisjoint(SECRET)
    }
    assert leading == OPEN


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.stem)
def test_a_module_that_shows_cannot_reach_a_hidden_tree_or_run_it(path):
    """The module kit.contents lists and hashes files, and loads none of them."""
    imported = {module for _, module in imports_of(path)}
    closed = {"autograder.kit", "autograder.kit.loading", "autograder.sandbox"}
    assert imported.isdisjoint(closed)
