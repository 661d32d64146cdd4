"""A tiny kit, a course of two students, and the command that grades a course."""

from __future__ import annotations

import contextlib
import os
import signal
from functools import partial
from types import SimpleNamespace

import pytest
from drawn import RUBRIC
from helpers import CORRECT, STUBS, kit_text, rows_of, write

from autograder import batch
from autograder.kit.contents import content_hash
from autograder.kit.loading import load_kit
from autograder.sandbox import Sandbox
from autograder.scoring.scores import points_text

TOTAL = points_text(RUBRIC.max_cents)
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
TREE = """title: {name}
lesson: the lesson of {name}
root: max
tree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""
PARTLY = CORRECT.partition("def alphabeta(")[0]  # minimax alone
WRONG = CORRECT.replace("alpha = max(alpha, best)", "pass")
DIES = "import os\nos._exit(1)\n"
ROSTER = "Name;SID;Email;Section\nAda King;007;ada@x.edu;A\nBö Kim;008;bo@x.edu;B\n"


KITS = {}  # hash of a kit's files -> the loaded kit


@pytest.fixture
def tiny_kit(tmp_path, monkeypatch, short_ladder):
    """Make grade-all use a kit of two small trees. Return the kit's root."""
    rubric = kit_text("autograder/rubric.yaml")
    files = {
        "autograder/rubric.yaml": rubric.replace("hints: line", "hints: mistake"),  # quick
        "trees/public/one.yaml": TREE.format(name="one"),
        "trees/hidden/two.yaml": TREE.format(name="two").replace("12", "1"),
        "solution/search.py": CORRECT,
    }
    root = write(tmp_path / "kit", files)

    def load_once(**_):
        key = content_hash(root)
        if key not in KITS:
            KITS[key] = load_kit(root)
        KITS[key].root = root
        return KITS[key]

    monkeypatch.setattr(batch, "prepare", load_once)
    handlers = {number: signal.getsignal(number) for number in batch.STOPPING}
    yield root
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def out(tmp_path):
    """Return the path of the folder for the gradebooks of a course."""
    return tmp_path / "out"


@pytest.fixture
def without_pool(sandbox_for, monkeypatch):
    """Make grade-all grade in this process, where a test can watch the sessions."""

    def act_here(make_worker, submissions, jobs, patience):
        act, kit, out = make_worker.args
        sandbox = sandbox_for(kit.rubric.limits)
        for submission in submissions:
            yield submission, act(kit, out, sandbox, submission)

    monkeypatch.setattr(batch, "run_in_pool", act_here)


@pytest.fixture(scope="session")
def zygote():
    """Return a sandbox that processes of a pool may use one after another."""
    with Sandbox(RUBRIC.limits) as sandbox:
        _ = sandbox.missing_layers  # the zygote reports them once
        yield sandbox


@contextlib.contextmanager
def lend(sandbox, limits):
    """Provide the sandbox with other limits. Afterwards its zygote runs on."""
    sandbox.limits = limits
    yield sandbox
    sandbox.end_worker()


@pytest.fixture
def lent(zygote, monkeypatch):
    """Make grade-all with one job use the sandbox of the session."""
    monkeypatch.setattr(batch, "Sandbox", partial(lend, zygote))


@pytest.fixture
def walk(tmp_path, tiny_kit, out, capsys, lent):
    """Return a class of two files, which people.csv matches, and its commands.

    grade_all(*options) grades the class and returns the printed text.
    """
    folder = write(tmp_path / "class", {"007.py": CORRECT, "Kim, Bo.py": STUBS})
    people = 'submission,student\n007,007\n"Kim, Bo",008\n'
    write(tmp_path, {"roster.csv": ROSTER, "out/people.csv": people})

    def grade_all_checked(*options, status=0, course=folder, to=out):
        exit_status = grade_all(course, to, "--jobs=1", *map(str, options))
        printed = capsys.readouterr()
        assert exit_status == status, printed
        return printed.err + printed.out

    return SimpleNamespace(
        folder=folder,
        roster=tmp_path / "roster.csv",
        grade_all=grade_all_checked,
        out=out,
        kit=tiny_kit,
    )


def grade_all(course, out, *options):
    """Run `make grade-all` in this process. Return its exit status."""
    return batch.main([str(course), "--out", str(out), *options])


def books(out, name="gradebook.csv"):
    """Return the rows of a .csv file of the course."""
    return rows_of(out / name)


def gradebook(out):
    """Return submission -> row of gradebook.csv."""
    return {row["submission"]: row for row in books(out)}
