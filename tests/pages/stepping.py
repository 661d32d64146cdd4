"""The step-through page as a student sees it: what it counts and says."""

from drawn import verdict_of
from helpers import tasks_of

from autograder.showing.stepthrough import step_html


def step_page(page, path, tree, source=None, convention="equality"):
    """Write the page of a tree, with a submission's source or without, and open it."""
    task = tasks_of(tree, functions=("alphabeta",))[0]
    verdict = None if source is None else verdict_of(source, tree)
    path.write_text(step_html(task, convention, verdict), encoding="utf-8")
    page.goto(path.as_uri())
    return page


def count(page):
    """Return which step is shown, of how many."""
    return page.locator("#count").inner_text()


def says(page):
    """Return what is said about the step."""
    return page.locator("#says").inner_text()
