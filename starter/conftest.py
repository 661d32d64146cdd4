"""Adapt pytest for the starter: short output, ordered failures and a final hint."""

import os

import pytest

from gametree.assignment import ASSIGNED
from gametree.support.texts import sentence


def pytest_configure(config):
    """Omit the list of failures at the end, because each failure is shown with its tree."""
    if config.option.reportchars == "fE":  # pytest's default
        config.option.reportchars = "N"


def pytest_sessionfinish(session):
    """Show the first wrong function's smallest failing tree last, so it stays visible."""

    def sort_key(report):
        functions = [n for n, name in enumerate(ASSIGNED) if f"[{name}" in report.nodeid]
        return [-n for n in functions], -len(report.longreprtext)

    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    reporter.stats.get("failed", []).sort(key=sort_key)


@pytest.fixture(scope="session")
def terminal(pytestconfig):
    """A descriptor of the terminal's stderr, which pytest hides from the tests."""
    capturing = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capturing.global_and_fixture_disabled():
        descriptor = os.dup(2)
    yield descriptor
    os.close(descriptor)


def pytest_terminal_summary(terminalreporter, exitstatus):
    """Name the next step if all tests ran and passed."""
    passed = len(terminalreporter.getreports("passed"))
    deselected = terminalreporter.stats.get("deselected")
    if exitstatus == 0 and passed and not deselected:
        terminalreporter.write_line("")
        terminalreporter.write_line(sentence("home.all pass", count=passed))
