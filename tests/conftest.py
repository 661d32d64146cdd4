"""Fixtures, options and hooks of all tests."""

import gc
import io
import math
import os
import sys
from contextlib import ExitStack
from functools import cache, partial
from subprocess import CompletedProcess

import pytest
from courses import (  # noqa: F401
    lent,
    out,
    tiny_kit,
    walk,
    without_pool,
    zygote,
)
from helpers import ROOT, first_small_trees, own_kit
from kitcopy import add_cached, add_venv, copy_kit

from autograder.grading import grade
from autograder.sandbox import Sandbox, sandbox
from gametree.support.student import run

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs start as they do elsewhere
sys.dont_write_bytecode = False  # or every run compiles the tests again
gc.disable()  # until all tests are collected


@pytest.fixture(scope="session", autouse=True)
def programs_have_neither_plugins_nor_options():
    """Let what a test runs start as at home, without our ARGS and the settings of make.

    The main process runs no tests, so it still passes ARGS to the workers of pytest-xdist.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    for name in [name for name in os.environ if name.startswith("MAKE")]:
        del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def each_process_has_its_cpu():
    """Pin the sandboxes of each process of the suite to a CPU of their own."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    sandbox.pin_to_one_cpu = partial(sandbox.pin_to_one_cpu, number)


@pytest.fixture(scope="session", autouse=True)
def no_test_depends_on_wall_time():
    """Let counts and CPU time alone end searches and hints, as on an idle machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.grading.EXPLAINING_SHARE", math.inf)
        patch.setattr("autograder.sandbox.session.WALL_FACTOR", 100)
        yield


# These files start first. The first takes longest, so no core waits for it at the end.
# The second forks this process, which is fast while the process is small.
FIRST_FILES = ("test_hostile.py", "test_hardening.py")


def pytest_collection_modifyitems(items):
    """Move the tests of FIRST_FILES to the beginning."""
    items.sort(key=lambda item: item.path.name not in FIRST_FILES)


def pytest_collection_finish():
    """Exclude the collected tests, which are never freed, from garbage collection."""
    gc.freeze()
    gc.set_threshold(100_000)  # as the commands do
    gc.enable()


@pytest.fixture(scope="session")
def kit():
    """Return the kit itself. No test may change it."""
    return own_kit()


@pytest.fixture(scope="session")
def sandbox_for():
    """Return a function: limits -> a sandbox, which all tests share."""
    with ExitStack() as stack:
        yield cache(lambda limits: stack.enter_context(Sandbox(limits)))


@pytest.fixture(scope="session")
def grade_source(kit, sandbox_for):
    """Return a function: the text of a program -> its Grading by the kit."""
    sandbox = sandbox_for(kit.rubric.limits)
    return lambda source: grade(kit, source.encode(), sandbox)


@pytest.fixture(scope="session")
def ladder():
    """Return the ladder of the kit: small trees and their tasks."""
    return own_kit().ladder


@pytest.fixture
def short_ladder(monkeypatch):
    """Shorten the ladder of every kit to a few hundred small trees."""
    path = "autograder.smalltrees.enumeration.small_trees"
    monkeypatch.setattr(path, first_small_trees)


@pytest.fixture
def check_golden(file_regression):
    """Return a function: a text and a file of golden/ -> they must be equal."""

    def check(text, name):
        golden = ROOT / "tests" / "golden" / name
        file_regression.check(f"{text}\n", fullpath=golden, encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def ready_kit(tmp_path_factory):
    """Return the path of a copy of the kit with a .venv and a filled cache."""
    copy = copy_kit(tmp_path_factory.mktemp("ready"))
    add_venv(copy)
    add_cached(copy)
    return copy


@pytest.fixture
def run_program(monkeypatch, capsys):
    """Return a function that runs main() of a program of the starter in this process."""

    def running(main, *arguments, typed=""):
        stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "ascii")
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr("gametree.support.student.GRACE", 60)  # or all tests end
        monkeypatch.setattr("sys.argv", ["program", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run(main)
        return CompletedProcess((), ended.value.code, *capsys.readouterr())

    return running


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Fill the cache of the kit once, before the workers start."""
    workers = getattr(session.config.option, "numprocesses", None)
    if workers and not hasattr(session.config, "workerinput"):
        from autograder.kit import prepare

        prepare()
