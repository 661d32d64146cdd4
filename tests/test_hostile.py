"""Submissions that attack, break or surprise the grader get the expected score and message.

A separate process grades them in Gradescope's layout, as the user who runs the tests. If
this is root, an ordinary user with umask 077 grades the attacks too, under other layers of
hardening. After each submission an honest one is graded in the same sandbox.

The first docstring line of a hostile file describes its attack or surprise. Below it are

    Expect: score 80                   its points, always given
    Expect: says "it raised KeyError"  words that the student reads; "a" or "b": either

In a folder, these lines are in expect.txt, and the submitted files are in submission/.
test_hardening.py tests each layer of hardening; here all layers are active.
"""

from __future__ import annotations

import fcntl
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
import yaml
from helpers import HOSTILE, ROOT, SECRETS, write
from results_schema import problems_of_text, rows_of

from autograder.kit.contents import autograder_files
from autograder.workbench.rehearse import Container, python_for

RUBRIC = HOSTILE / "rubric.yaml"
POINTS = yaml.safe_load(RUBRIC.read_text())["points"]  # function -> points
TOTAL = sum(POINTS.values())
FULL_MARKS = "Every row below is correct."
NEVER_SHOWN = ["BREACH", "FloatingPointError", "Traceback (most", "zygote.py", "worker.py"]
HONEST = "carriage_returns"  # a submission that earns all points
ATTACKS = re.compile(r"BREACH|@HOME@|@GRADER@|os\.kill")  # in files that a layer stops
USER_UID = 20_000 + os.getpid() % 20_000  # an ordinary user that only this run uses
UIDS = {"root": None, "user": USER_UID} if os.geteuid() == 0 else {"user": None}
MISTAKE_STEP = 30  # the graders' kit has one in 30 known mistakes
MAX_SECONDS = 600  # for each grader


# ---- the outcomes that hostile submissions declare


@cache
def expectation_texts():
    """Return name -> the text that declares the outcome of a hostile submission."""
    paths = {path.stem: path for path in HOSTILE.glob("*.py")}
    for path in HOSTILE.glob("*/expect.txt"):
        paths[path.parent.name] = path
    return {name: paths[name].read_text() for name in sorted(paths)}


def expectation_of(name):
    """Return the points of a hostile submission, and the sentences that a student reads.

    A sentence is a list: the student must read one of its members.
    """
    text = expectation_texts()[name]
    (score,) = re.findall(r"^Expect: score (.+)$", text, re.MULTILINE)
    says = []
    for words in re.findall(r"^Expect: says (.+)$", text, re.MULTILINE):
        says.append(re.findall(r'"([^"]*)"', words))
    return float(score), says or [[FULL_MARKS]]


def names_for(user):
    """Return the names of the submissions that this user grades."""
    texts = expectation_texts()
    if user == next(iter(UIDS)):
        return list(texts)
    attacks = [name for name, text in texts.items() if ATTACKS.search(text)]
    return [HONEST, *attacks]


CASES = [(user, name) for user in UIDS for name in names_for(user)]


# ---- the graders, each with its own copy of Gradescope's layout


def lay_out(home):
    """Fill a folder as Gradescope does, and add the queue of hostile submissions."""
    source = home / "source"
    queue = home / "queue"
    files = autograder_files()
    mistakes = [name for name in files if name.startswith("solution/mistakes/")]
    complete = [name for name in mistakes if b"\nChanges: " not in files[name]]
    skipped = set(mistakes).difference(complete[::MISTAKE_STEP])
    for name in list(files):
        if name in skipped or name.startswith("trees/"):
            del files[name]
    files["autograder/rubric.yaml"] = RUBRIC.read_bytes()
    write(source, files)
    shutil.copytree(HOSTILE / "trees", source / "trees")
    metadata = (HOSTILE / "metadata.json").read_bytes()
    runner = (ROOT / "tests" / "hostile_run.py").read_bytes()
    write(home, {"submission_metadata.json": metadata, "site/hostile_run.py": runner})
    for folder in ("submission", "results", "tmp"):
        (home / folder).mkdir()
    for name in expectation_texts():
        if (HOSTILE / name).is_dir():
            shutil.copytree(HOSTILE / name / "submission", queue / name, symlinks=True)
        else:
            program = (HOSTILE / f"{name}.py").read_bytes()
            write(queue / name, {"search.py": program})
    (queue / "link_called_search_py" / "search.py").symlink_to("/etc/hostname")
    py_compile.compile(
        source / "solution" / "search.py",
        importlib.util.cache_from_source(queue / "stale_bytecode" / "search.py"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    for package in ("yaml", "gradescope_utils"):
        folder = Path(importlib.util.find_spec(package).origin).parent
        shutil.copytree(folder, home / "site" / package)
    prepare = "import hostile_run, pathlib; hostile_run.load(pathlib.Path.cwd())"
    command = [sys.executable, "-s", "-c", prepare]
    subprocess.run(command, cwd=source, env=environment(home), check=True)


def environment(home):
    """Return the environment variables of a grader."""
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": f"{home}/site:{home}/source",
        "TMPDIR": f"{home}/tmp",
        "CANARY_TOKEN": "canaryenvironment",
    }


def as_user(uid):
    """Return the options of subprocess.run that change the user; {} if uid is None."""
    if uid is None:
        return {}
    return {"user": uid, "group": uid, "extra_groups": [], "umask": 0o077}


def protect(home, uid):
    """Make the folders private as run_autograder does, or give them to the user."""
    home.chmod(0o755)
    Container(home, "", uid).hand_over()
    if uid is None and os.geteuid() == 0:
        for path in home.iterdir():
            path.chmod(0o700 if path.is_dir() else 0o600)


def shares_of_graders():
    """Return (user, names) for each grader, which is a process on one CPU.

    Two graders share the names of the first user, since some submissions sleep.
    """
    shares = []
    for user, uid in UIDS.items():
        if python_for(uid) is not None:
            names = names_for(user)
            shares += [(user, names)] if uid else [(user, names[::2]), (user, names[1::2])]
    return shares


def run_grader(laid_out, cpu, share):
    """Grade. Return name -> report, or None if the grader died before it."""
    user, names = share
    uid = UIDS[user]
    options = json.dumps({"cpu": cpu, "alone": uid is not None, "names": names})
    with tempfile.TemporaryDirectory(prefix="gradescope-") as folder:
        home = Path(folder)
        shutil.copytree(laid_out, home, symlinks=True, dirs_exist_ok=True)
        protect(home, uid)
        python = f"{python_for(uid)}/python3"
        with tempfile.TemporaryFile() as out:  # a leftover process could keep a pipe open
            subprocess.run(
                [python, "-B", "-s", home / "site" / "hostile_run.py", home, options],
                stdin=subprocess.DEVNULL,
                stdout=out,
                start_new_session=True,
                timeout=MAX_SECONDS,
                cwd=home / "source",
                env=environment(home),
                **as_user(uid),
            )
            out.seek(0)
            printed = [json.loads(line) for line in out]
    reports = dict.fromkeys(names)
    for report in printed:
        reports[report["name"]] = report
    return reports


def grade_all(laid_out):
    """Return user -> name -> report. All graders run at the same time."""
    shares = shares_of_graders()
    reports = {user: {} for user, _ in shares}
    with ThreadPoolExecutor() as pool:
        all_graded = pool.map(partial(run_grader, laid_out), range(len(shares)), shares)
        for (user, _), graded in zip(shares, all_graded):
            reports[user] |= graded
    return reports


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Return user -> name -> report. One process of the suite grades for all of them."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / "hostile.json"
    with open(folder / "hostile.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            laid_out = tmp_path_factory.mktemp("gradescope")
            lay_out(laid_out)
            path.write_text(json.dumps(grade_all(laid_out)))
    found = json.loads(path.read_text())
    if not found:
        pytest.skip("this Python has no python3 beside it, which Gradescope's script runs")
    return found


# ---- the outcomes


def complaints(report, expectation, rows):
    """Return a line for each difference between a report and the expected outcome.

    rows: the (number, name, max_score) that every results.json must list.
    """
    score, says = expectation
    if report is None:
        return ["the grader died"]
    if report["fault"]:
        return [f"the grader failed: {report['fault']}"]
    text = report["results"]
    lines = problems_of_text(text)
    if lines:
        return lines
    results = json.loads(text)
    screen = results["output"]
    if rows_of(results) != rows:
        lines.append("the rows are not those of every submission")
    if results["score"] != score:
        lines.append(f"score {results['score']}, expected {score}: {screen}")
    for secret in SECRETS:
        if secret in text.lower():
            lines.append(f"shows {secret}")
    for word in NEVER_SHOWN:
        if word.lower() in text.lower():
            lines.append(f"shows {word!r}")
    for process in report["processes"]:
        lines.append(f"left the process {process}")
    for path in report["files"]:
        lines.append(f"left or changed the file {path}")
    if report["honest"] != TOTAL:
        lines.append(f"the next honest submission scored {report['honest']}")
    texts_of_rows = [row["output"] for row in results["tests"]]
    shown = "\n".join([screen, *texts_of_rows])
    shown += " ".join(shown.split())  # a sentence may be wrapped
    for alternatives in says:
        if not any(words in shown for words in alternatives):
            lines.append(f"does not say {' or '.join(alternatives)!r}")
    return lines


def rows_of_honest(reports):
    """Return the rows of the honest submission's results."""
    return rows_of(json.loads(reports[HONEST]["results"]))


@pytest.mark.parametrize("user, name", CASES)
def test_a_hostile_submission_has_its_outcome_and_leaves_nothing(user, name, reports):
    if user not in reports:
        pytest.skip("no Python of this machine can be run by an ordinary user")
    rows = rows_of_honest(reports[user])
    assert complaints(reports[user][name], expectation_of(name), rows) == []
