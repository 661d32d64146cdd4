"""Wrong programs without names lose points, as known mistakes do."""

import pytest
from helpers import RUBRIC
from helpers import own_kit as kit

from autograder.explaining.library import failures
from autograder.scoring.scores import earned
from autograder.workbench.killmatrix import ENOUGH
from bench.unseen.programs import changed_programs

UNNAMED = changed_programs("unnamed.txt")


@pytest.mark.parametrize("program", UNNAMED, ids=lambda program: program.name)
def test_a_wrong_program_without_a_name_loses_points_on_enough_hidden_trees(program):
    tasks = [task for task in kit().hidden_tasks if task.function == program.function]
    trees = set()
    for verdict in failures(program.source, tasks):
        if earned(RUBRIC, program.function, verdict.aspects) < 1:
            trees.add(verdict.task.tree.name)
            if len(trees) == ENOUGH:
                return
    pytest.fail(f"only {len(trees)} hidden trees reveal it")
