"""Submissions that attack, break or surprise the grader, each with its exact outcome.

All are graded in Gradescope's layout by a grader of its own process, as the user who runs
the tests. Where that is root, an ordinary user (with umask 077) grades the attacks as well:
other layers hold there. After each one, an honest submission is graded in the same
sandbox. The first docstring line of a hostile file says the predicament. Below it stand

    Expect: score 80                   points out of 100, always there
    Expect: says "it raised KeyError"  words that the student reads; "a" or "b": either

A folder holds the same lines in expect.txt, and what is submitted in submission/.
What each layer of hardening is for is in test_hardening.py: here all are on.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

import pytest
from helpers import ROOT
from results_schema import problems_of_text

from autograder.workbench.package import autograder_files

HOSTILE = ROOT / "tests" / "hostile"
FULL_MARKS = "Every value, every leaf and every node count is right."
SECRETS = ("canary", "31336", "31337", "31339", "31340", "41551", "41552", "41554",
           "41555", "41556", "41557", "41558")  # fmt: skip
NEVER_SHOWN = ("BREACH", "FloatingPointError", "Traceback (most", "zygote.py", "worker.py")
RIGHT = "carriage_returns"  # an honest one
ATTACKS = re.compile(r"BREACH|@HOME@|@GRADER@|os\.kill")  # what a layer forbids
USER = 20_000 + os.getpid() % 20_000  # an ordinary user, of this run of the tests alone
UIDS = {"root": None, "user": USER} if os.geteuid() == 0 else {"user": None}
MAX_SECONDS = 600
METADATA = {
    "id": 123456,
    "users": [{"email": "canary@example.edu", "id": 1, "name": "Canary Student"}],
    "previous_submissions": [{"score": 1.0, "results": {"output": "canaryprevious"}}],
}


@cache
def texts():
    """Return name -> the text that says what a hostile submission is to lead to."""
    files = {path.stem: path for path in HOSTILE.glob("*.py")}
    files |= {path.parent.name: path for path in HOSTILE.glob("*/expect.txt")}
    return {name: files[name].read_text("utf-8") for name in sorted(files)}


def expectation(text):
    """Return (the score, for each "says" its possible words) that a text declares."""
    scores = re.findall(r"^Expect: score (.+)$", text, re.MULTILINE)
    says = re.findall(r"^Expect: says (.+)$", text, re.MULTILINE)
    says = [re.findall(r'"([^"]*)"', words) for words in says]
    if len(scores) != 1 or not all(says) or not (says or scores == ["100"]):
        raise ValueError(f"give one `Expect: score` and an `Expect: says`: {text}")
    return float(scores[0]), says or [[FULL_MARKS]]


def complaints(report, score, says, rows):
    """Return in lines what the submission got that it should not have, or did not get.

    `rows` are the (number, name, max_score) that every results.json must list.
    """
    if report is None:
        return ["the grader itself was ended"]
    if report["fault"]:
        return [f"the grader failed: {report['fault']}"]
    if wrong := problems_of_text(report["results"]):
        return wrong
    text, data = report["results"].lower(), json.loads(report["results"])
    if rows_of(data) != rows:
        wrong.append("the rows are not those of every submission")
    if data["score"] != score:
        wrong.append(f"score {data['score']}, expected {score}")
    wrong += [f"shows {word}" for word in SECRETS if word in text]
    wrong += [f"shows {word!r}" for word in NEVER_SHOWN if word.lower() in text]
    wrong += [f"left the process {line}" for line in report["processes"]]
    wrong += [f"left or changed the file {path}" for path in report["files"]]
    if report["honest"] != 100.0:
        wrong.append(f"the next honest submission scored {report['honest']}")
    shown = "\n".join([data["output"], *(test["output"] for test in data["tests"])])
    missing = [words for words in says if not any(word in shown for word in words)]
    return wrong + [f"does not say {' or '.join(words)!r}" for words in missing]


def rows_of(data):
    """Return the (number, name, max_score) of every row."""
    return [(test["number"], test["name"], test["max_score"]) for test in data["tests"]]


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """Return Gradescope's folder, to be copied, with what is known of its kit."""
    home = tmp_path_factory.mktemp("gradescope")
    source, queue, site = home / "source", home / "queue", home / "site"
    for folder in ("queue", "site", "submission", "results", "tmp"):
        (home / folder).mkdir()
    for name, path in autograder_files().items():
        if not name.startswith("trees/"):
            copy(path, source / name)
    shutil.copytree(HOSTILE / "trees", source / "trees")
    copy(HOSTILE / "rubric.yaml", source / "autograder" / "rubric.yaml")
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))
    for name in texts():
        if (HOSTILE / name).is_dir():
            shutil.copytree(HOSTILE / name / "submission", queue / name, symlinks=True)
        else:
            copy(HOSTILE / f"{name}.py", queue / name / "search.py")
    (queue / "link_called_search_py" / "search.py").symlink_to("/etc/hostname")
    py_compile.compile(
        source / "solution" / "search.py",
        importlib.util.cache_from_source(queue / "stale_bytecode" / "search.py"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    for package in ("yaml", "gradescope_utils"):
        folder = Path(importlib.util.find_spec(package).origin).parent
        shutil.copytree(folder, site / package)
    copy(ROOT / "tests" / "hostile_run.py", site / "hostile_run.py")
    prepared = "import hostile_run, pathlib; hostile_run.prepare(pathlib.Path.cwd())"
    command = [sys.executable, "-s", "-c", prepared]
    subprocess.run(command, cwd=source, env=environment(home), check=True)
    return home


def copy(path, to):
    """Copy a file to where no folder may be yet."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def environment(home):
    """Return the environment of a grader in Gradescope's folder."""
    path = f"{home}/site:{home}/source"
    own = {"PYTHONPATH": path, "TMPDIR": f"{home}/tmp", "CANARY_TOKEN": "canaryenvironment"}
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **own}


def as_user(uid):
    """Return what starts a process as the user of this number; None: as it is."""
    user = {"user": uid, "group": uid, "extra_groups": [], "umask": 0o077}
    return {} if uid is None else user


@cache
def python_of(uid):
    """Return a Python that the user may run: this one, the system's, or None."""
    code = "import sys, ctypes; sys.exit(sys.version_info < (3, 10))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        how = {"cwd": "/", "env": {}, "stderr": subprocess.DEVNULL, **as_user(uid)}
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            subprocess.run([python, "-c", code], check=True, **how)
            return python
    return None


def hand_over(home, uid):
    """Close the folders as run_autograder does, or give all to the ordinary user."""
    home.chmod(0o755)
    if uid is not None:
        for path in [home, *home.rglob("*")]:
            os.chown(path, uid, uid, follow_symlinks=False)
    elif os.geteuid() == 0:
        for closed in ("source", "submission", "results", "queue", "site", "tmp"):
            (home / closed).chmod(0o700)
        (home / "submission_metadata.json").chmod(0o600)


def graded(laid_out, user, turn, queue):
    """Return name -> report of a queue, graded on the CPU of a turn; None: ended it."""
    uid = UIDS[user] and UIDS[user] + turn * 20_000  # what is left is told by its user
    names = [RIGHT, *queue]
    options = json.dumps({"turn": turn, "alone": uid is not None, "names": names})
    with tempfile.TemporaryDirectory(prefix="gradescope-") as folder:
        home = Path(folder)
        shutil.copytree(laid_out, home, symlinks=True, dirs_exist_ok=True)
        hand_over(home, uid)
        program = [python_of(uid), "-B", "-s", home / "site" / "hostile_run.py"]
        with tempfile.TemporaryFile() as out:  # who is left may hold a pipe open
            subprocess.run(
                [*program, home, options],
                stdin=subprocess.DEVNULL,
                stdout=out,
                start_new_session=True,
                timeout=MAX_SECONDS,
                cwd=home / "source",
                env=environment(home),
                **as_user(uid),
            )
            out.seek(0)
            reports = [json.loads(line) for line in out]
    return dict.fromkeys(names) | {report["name"]: report for report in reports}


@pytest.mark.parametrize("user", UIDS)
def test_each_gets_what_it_should_and_leaves_nothing(user, laid_out):
    if python_of(UIDS[user]) is None:
        pytest.skip("no Python of this machine can be run by an ordinary user")
    queue = [*texts()]
    if user != next(iter(UIDS)):
        queue = [name for name, text in texts().items() if ATTACKS.search(text)]
        assert len(queue) >= 50
    reports = {}
    with ThreadPoolExecutor(2) as pool:  # since many submissions wait to be stopped
        grade = partial(graded, laid_out, user)
        for half in pool.map(grade, (0, 1), (queue[::2], queue[1::2])):
            reports |= half
    right = json.loads(reports[RIGHT]["results"])
    rows = rows_of(right)
    wrong = {n: complaints(r, *expectation(texts()[n]), rows) for n, r in reports.items()}
    assert {name: lines for name, lines in wrong.items() if lines} == {}
    assert set(reports) >= {*queue}
    functions = [name.split(":")[0] for _, name, _ in rows]
    assert list(dict.fromkeys(functions)) == ["minimax", "alphabeta", "best_move"]
    assert len(rows) > 10 and sum(most for _, _, most in rows) == 100
    for broken in ways_to_be_wrong(reports[RIGHT], right):
        assert complaints(broken, *expectation(texts()[RIGHT]), rows), broken


def ways_to_be_wrong(report, data):
    """Yield what must bring a complaint: a report with one thing wrong."""
    yield None
    changes = [{"score": 99.0}, {"tests": []}, {"colour": "red"}]
    changes += [{"output": shown} for shown in ("31337.25", "A Canary title", "BREACH")]
    texts = [json.dumps({**data, **change}) for change in changes]
    texts += ["{", report["results"].replace(FULL_MARKS, "Well done.")]
    yield from ({**report, "results": text} for text in texts)
    for key, value in (("fault", "Traceback"), ("honest", 40.0)):
        yield {**report, key: value}
    for key in ("processes", "files"):
        yield {**report, key: ["77 zygote.py"]}


def test_each_is_one_predicament_named_in_its_first_line():
    predicaments = [text.lstrip('"\n').split("\n", 1)[0] for text in texts().values()]
    assert len(set(predicaments)) == len(predicaments) >= 60
    assert all(line.endswith(".") and len(line) < 90 for line in predicaments)
