"""A sentence explains the first difference between a search and the correct one."""

from fnmatch import fnmatchcase

import pytest
from helpers import cases, program_of, task_of, trace_of

from autograder.scoring.tasks import not_begun
from autograder.showing.wording import deciding, findings
from gametree.support.judging import judge
from gametree.support.texts import list_names
from gametree.support.trace import RAISED, Ending, Text
from gametree.support.tree import StoredPosition


@cases("deciding sentences")
def test_the_key_sentence(function, root, tree, changes, sentence):
    task = task_of(tree, function, root)
    verdict = judge(task, trace_of(program_of(changes), task))
    assert fnmatchcase(deciding(verdict), sentence)


def test_missed_leaves_are_listed_if_a_search_visits_none():
    task = task_of("[1, 1]", "alphabeta")
    trace = trace_of("def alphabeta(*_): return 1", task)
    assert "did not visit a1 and a2, which must be searched" in findings(judge(task, trace))


@pytest.mark.parametrize("path, is_reason", [((0,), True), ((1,), False), (None, False)])
def test_an_exception_at_a_terminal_has_its_reason(path, is_reason):
    task = task_of("[1, [2, 3]]", "minimax", searches="[{depth: 3}]")
    trace = not_begun(task, Ending(RAISED, "ValueError"), Text(path=path))
    reason = "a1 has no children, so it must be evaluated at any depth."
    assert deciding(judge(task, trace)).endswith(reason) == is_reason


@cases("lists of names")
def test_a_long_list_of_names_is_cut_off(count, listed):
    paths = [(index,) for index in range(count)]
    children = [StoredPosition(path, f"l{path[0] + 1}", 0) for path in paths]
    assert list_names(StoredPosition((), "A", children=children), paths) == listed
