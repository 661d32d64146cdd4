"""Prove that one run of everything in one process, and the witnesses, see every mistake.

A known mistake may be made always, in its function's first call only, or in the second
only. What the two runs of each tree in a fresh process tell from right, the ordinary road
must tell as well (SECURITY.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judging.verdict import verdict_on
from autograder.kit import Kit
from autograder.mistakes.library import run_variant
from autograder.mistakes.variants import Variant
from autograder.mistakes.witnesses import first_calls_shown
from autograder.workbench.killmatrix import failures
from gametree.functions import FUNCTIONS


def escapes(kit: Kit, mistake: Variant) -> Iterator[str]:
    """Yield a line for each way in which a mistake would not be seen."""
    if not _shows_together(kit, mistake) and next(failures(mistake, kit.tasks), None):
        yield f"{mistake.name} is not seen where all trees are run in one process"
    hidden = [task for task in kit.tasks if task.hidden]
    for function in mistake.shows or FUNCTIONS:
        for tasks in (hidden, kit.tasks):
            shown = next(first_calls_shown(mistake, function, tasks), None)
            if shown is None:
                continue
            few = [task for task in tasks if task.tree.name in kit.witnesses]
            if not any(first_calls_shown(mistake, function, few)):
                yield (
                    f"{mistake.name}, made in the first call of {function} only, shows "
                    f"on {shown} and on no witness like it; mend choose_witnesses"
                )
            break


def _shows_together(kit, mistake):
    """Tell whether a mistake that is always made loses a search in one run of everything.

    Public trees share a process, and hidden ones another.
    """
    for hidden in (False, True):
        tasks = [task for task in kit.tasks if task.hidden == hidden]
        for task, pair in zip(tasks, run_variant(mistake, tasks, twice=False)):
            if not verdict_on(task, pair).right:
                return True
    return False
