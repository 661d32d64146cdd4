"""Options of the kit's own tests."""

import gc
import io
import os
from contextlib import ExitStack
from functools import cache, partial
from subprocess import CompletedProcess

import pytest
from courses import (  # noqa: F401
    graded_once,
    out,
    tiny_kit,
    walk,
    without_pool,
)
from helpers import first_small_trees, own_kit
from kitcopy import add_cached, add_venv, copy_kit

from autograder.grading import grade
from autograder.sandbox import Sandbox, sandbox
from gametree.support.student import run

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs start as they do elsewhere
gc.disable()  # until all tests are collected


@pytest.fixture(scope="session", autouse=True)
def students_have_no_plugins():
    """Let the pytest of a student's folder load what a student has."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture(scope="session", autouse=True)
def a_test_that_runs_pytest_has_no_options_of_ours():
    """Remove ARGS of `make test`, once this process has read them.

    The process that starts the workers runs no test: it passes them on.
    """
    os.environ.pop("PYTEST_ADDOPTS", None)


@pytest.fixture(scope="session", autouse=True)
def each_process_has_its_cpu():
    """Pin the sandboxes of one process of the suite to one CPU, of another to another."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    sandbox.pin_to_one_cpu = partial(sandbox.pin_to_one_cpu, number)


# What takes longest, lest one core waits for it at the end, and what forks this process,
# while it is small.
FIRST_FILES = ("test_hostile.py", "test_generate.py", "test_hardening.py")


def pytest_collection_modifyitems(items):
    """Begin with FIRST_FILES."""
    items.sort(key=lambda item: item.path.name not in FIRST_FILES)


def pytest_collection_finish():
    """Let the garbage collector pass over the collected tests, which stay to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def kit():
    """The kit itself, which no test changes."""
    return own_kit()


@pytest.fixture(scope="session")
def sandbox_for():
    """A function that returns a sandbox with these limits, which all tests share."""
    with ExitStack() as stack:
        yield cache(lambda limits: stack.enter_context(Sandbox(limits)))


@pytest.fixture(scope="session")
def grade_source(kit, sandbox_for):
    """A function that grades the text of a program by the kit."""
    sandbox = sandbox_for(kit.rubric.limits)
    return lambda source: grade(kit, source.encode(), sandbox)


@pytest.fixture(scope="session")
def ladder():
    """The small trees on which a submission may fail, and their tasks."""
    return own_kit().ladder


@pytest.fixture
def short_ladder(monkeypatch):
    """Have the ladders of all kits end after a few hundred small trees."""
    path = "autograder.smalltrees.enumeration.small_trees"
    monkeypatch.setattr(path, first_small_trees)


@pytest.fixture(scope="session")
def ready_kit(tmp_path_factory):
    """A copy of the kit with a virtual environment that stands, and a filled cache."""
    copy = copy_kit(tmp_path_factory.mktemp("ready"))
    add_venv(copy)
    add_cached(copy)
    return copy


@pytest.fixture
def run_program(monkeypatch, capsys):
    """The function that runs a program of the starter in this process, by its main()."""

    def running(main, *arguments, typed=""):
        stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "ascii")
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr("gametree.support.student.GRACE", 60)  # it would end all tests
        monkeypatch.setattr("sys.argv", ["program", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run(main)
        return CompletedProcess((), ended.value.code, *capsys.readouterr())

    return running


def pytest_addoption(parser):
    """Add --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="rewrite results.json")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Have what is known of the kit computed once, where workers would do so each."""
    workers = getattr(session.config.option, "numprocesses", None)
    if workers and not hasattr(session.config, "workerinput"):
        from autograder.kit import prepare

        prepare()
