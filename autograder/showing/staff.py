"""Explain lost points to a TA, including hidden trees and the program's output on them.

Students must not see any of it. Text from a submission is sanitized.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.ground.plaintext import CONTEXT_LINES, program_lines
from autograder.scoring.scores import Row, score_text
from autograder.scoring.tasks import STRICT, Task
from autograder.showing import wording
from autograder.showing.pointer import point_at
from autograder.showing.rowtext import printed_lines
from gametree.support.judging import Verdict
from gametree.support.sentences import write_answer, write_call
from gametree.support.steppage import step_page

WARNING = "For the course staff only: this shows hidden trees. Do not pass it on."


@dataclass(frozen=True)
class Case:
    """One search of a row that lost points, which was run again to record its details.

    verdict: the verdict on the new run.
    kind: words on whether the tree is hidden and whether grading ran the search.
    page: the file name of its step-through page.
    """

    verdict: Verdict
    kind: str
    page: str


@dataclass(frozen=True)
class Account:
    """A row that lost points.

    row: the row.
    cases: the wrong searches that are shown.
    """

    row: Row
    cases: tuple[Case, ...]

    @property
    def headline(self) -> str:
        """The row's number, name, points and correct trees, in one line."""
        row = self.row
        right = f"{row.right_trees} of {len(row.trees)} trees right"
        return f"{row.number} {row.name}: {score_text(row)}, {right}"


def _parting(verdict):
    """Say where a search diverges from the reference; return "" if it did not return."""
    if verdict.is_right:
        return "Correct this time: the program is nondeterministic."
    return wording.deciding(verdict) if verdict.has_returned else ""


def _code_at(verdict, source):
    """Return the lines of code around an exception, or [] without an exception."""
    line = verdict.trace.text.line
    lines = dict(enumerate(program_lines(source), start=1))
    if verdict.has_returned or line not in lines:
        return []
    near = range(line - CONTEXT_LINES, line + CONTEXT_LINES + 1)
    lines_near = {number: lines[number] for number in near if number in lines}
    return point_at(lines_near, {line: 0}).shown(CONTEXT_LINES)


def terminal_lines(account: Account, source: bytes) -> list[str]:
    """Return an account as lines for the terminal."""
    lines = [account.headline]
    for case in account.cases:
        verdict = case.verdict
        tree = verdict.task.tree
        lines += ["", f"  {tree.name} ({case.kind}): {tree.lesson}"]
        details = [write_call(verdict.task), *wording.findings(verdict)]
        details += [_parting(verdict), *_code_at(verdict, source)]
        details += printed_lines(verdict.trace)
        lines += [f"    {line}" for line in details if line]
        lines.append(f"    step through: {case.page}")
    return lines


def step_html(
    task: Task, convention: str, verdict: Verdict | None = None, warning: str = ""
) -> str:
    """Return the page that steps through a task. Raises CannotRun if it is too large.

    verdict: the verdict on a submission's run, None to show only the correct search.
    warning: a line at the top of the page, or "".
    """
    trace = None
    why = ""
    remark = ""
    if verdict:
        trace = verdict.trace
        if verdict.is_right:
            remark = "Your search does the same, from the first step to the last."
        else:
            why = wording.deciding(verdict)
            if verdict.has_returned:
                answer = write_answer(task.tree.root, trace)
                remark = f"It returned {answer}."
    lead = [line for line in (task.tree.lesson, task.tree.source) if line]
    return step_page(
        task,
        trace,
        convention == STRICT,
        why=why,
        end=remark,
        lead=lead,
        warning=warning,
    )
