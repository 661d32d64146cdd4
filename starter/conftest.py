"""What `python -m pytest` does beside the tests: it ends endless loops, and leads on."""

import os

import pytest

from gametree.course import ASSIGNED
from gametree.support.saying import say


def pytest_configure(config):
    """Leave out the list of failures at the end: each has been told with its tree."""
    if config.option.reportchars == "fE":  # which is pytest's own choice
        config.option.reportchars = "N"


def pytest_sessionfinish(session):
    """Leave the smallest tree on which the first wrong function fails on the screen."""

    def sort_key(report):
        functions = [n for n, name in enumerate(ASSIGNED) if f"[{name}" in report.nodeid]
        return [-n for n in functions], -len(report.longreprtext)

    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    reporter.stats.get("failed", []).sort(key=sort_key)


@pytest.fixture(scope="session")
def terminal(pytestconfig):
    """The terminal's own stderr, which pytest keeps from the tests."""
    capturing = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capturing.global_and_fixture_disabled():
        descriptor = os.dup(2)
    yield descriptor
    os.close(descriptor)


def pytest_terminal_summary(terminalreporter, exitstatus):
    """Say what comes after the last green test, where all of them ran."""
    passed = len(terminalreporter.getreports("passed"))
    deselected = terminalreporter.stats.get("deselected")
    if exitstatus == 0 and passed and not deselected:
        terminalreporter.write_line("")
        terminalreporter.write_line(say("home.all pass", count=passed))
