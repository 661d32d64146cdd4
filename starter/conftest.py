"""Adapt pytest for the starter: short output, ordered failures and a final hint."""

import os
import sys
from pathlib import Path

import pytest

from gametree.support.errors import InputError
from gametree.support.programtext import lacking_names
from gametree.support.student import Endless, load_search, wrapped
from gametree.support.texts import sentence

SEARCH = Path(__file__).resolve().parent / "search.py"


try:
    load_search(SEARCH)
except (InputError, Endless) as problem:  # one line, before pytest begins
    print(problem, file=sys.stderr)
    sys.exit(2)


def pytest_sessionfinish(session):
    """Show the smallest failing tree of the first function last, so it stays visible."""
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    reporter.stats.get("failed", []).reverse()


@pytest.fixture(scope="session")
def terminal(pytestconfig):
    """The terminal's stderr, which pytest hides from the tests."""
    capturing = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capturing.global_and_fixture_disabled():
        descriptor = os.dup(2)
    with open(descriptor, "w", errors="replace") as stream:
        yield stream


def pytest_terminal_summary(terminalreporter, exitstatus):
    """Name what the autograder lacks, and the next step if all tests ran and passed."""
    source = SEARCH.read_text(encoding="utf-8", errors="replace")
    problems = list(lacking_names(source))
    for problem in problems:
        terminalreporter.write_line(wrapped(problem))
    passed = len(terminalreporter.getreports("passed"))
    deselected = terminalreporter.stats.get("deselected")
    if exitstatus == 0 and passed and not deselected and not problems:
        terminalreporter.write_line("")
        terminalreporter.write_line(wrapped(sentence("home.all pass", count=passed)))
