"""Submissions that attack, break or surprise the grader, each with its exact outcome.

All are graded in Gradescope's layout by a grader of its own process, as the user who runs
the tests. Where that is root, an ordinary user (with umask 077) grades the attacks as well:
other layers hold there. After each one, an honest submission is graded in the same
sandbox. The first docstring line of a hostile file says the predicament. Below it stand

    Expect: score 80                   points, always there
    Expect: says "it raised KeyError"  words that the student reads; "a" or "b": either

A folder holds the same lines in expect.txt, and what is submitted in submission/.
What each layer of hardening is for is in test_hardening.py: here all are on.
"""

from __future__ import annotations

import contextlib
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
from typing import NamedTuple

import pytest
import yaml
from helpers import HOSTILE, ROOT, SECRETS, cases
from results_schema import problems_of_text

from autograder.workbench.package import autograder_files

RUBRIC = HOSTILE / "rubric.yaml"
POINTS = yaml.safe_load(RUBRIC.read_text("utf-8"))["points"]  # of each function
TOTAL = sum(POINTS.values())
FULL_MARKS = "Every value, every leaf and every node count is correct."
NEVER_SHOWN = ["BREACH", "FloatingPointError", "Traceback (most", "zygote.py", "worker.py"]
HONEST = "carriage_returns"  # a submission that earns all points
ATTACKS = re.compile(r"BREACH|@HOME@|@GRADER@|os\.kill")  # what a layer forbids
MIN_ATTACKS = 50
MIN_SUBMISSIONS = 60
USER_UID = 20_000 + os.getpid() % 20_000  # an ordinary user, of this run of the tests alone
UIDS = {"root": None, "user": USER_UID} if os.geteuid() == 0 else {"user": None}
MISTAKE_STEP = 30  # of so many known mistakes, one is in the graders' kit
MAX_SECONDS = 600  # for one of them


# ---- what the hostile submissions expect


@cache
def expectation_texts():
    """Return name -> the text that declares what a hostile submission leads to."""
    paths = {path.stem: path for path in HOSTILE.glob("*.py")}
    for path in HOSTILE.glob("*/expect.txt"):
        paths[path.parent.name] = path
    return {name: paths[name].read_text("utf-8") for name in sorted(paths)}


class Expectation(NamedTuple):
    """What a hostile submission declares.

    score: its points.
    says: one list for each sentence; the student must read one of its members.
    """

    score: float
    says: list[list[str]]


def expectation_of(name):
    """Return the Expectation of a hostile submission."""
    text = expectation_texts()[name]
    scores = re.findall(r"^Expect: score (.+)$", text, re.MULTILINE)
    says = []
    for words in re.findall(r"^Expect: says (.+)$", text, re.MULTILINE):
        says.append(re.findall(r'"([^"]*)"', words))
    if len(scores) != 1 or not all(says):
        raise ValueError(f"{name}: give one `Expect: score` and quote what it says")
    score = float(scores[0])
    if score == TOTAL and not says:
        says = [[FULL_MARKS]]
    if not says:
        raise ValueError(f"{name}: give an `Expect: says`")
    return Expectation(score, says)


def names_for(user):
    """Return the names of the submissions that are graded as this user."""
    texts = expectation_texts()
    if user == next(iter(UIDS)):
        return list(texts)
    attacks = [name for name, text in texts.items() if ATTACKS.search(text)]
    return [HONEST, *attacks]


CASES = [(user, name) for user in UIDS for name in names_for(user)]


# ---- the graders, each with a folder as Gradescope lays it out


def lay_out(home):
    """Fill a folder as Gradescope does, with the queue of hostile submissions."""
    source = home / "source"
    queue = home / "queue"
    site = home / "site"
    for folder in ("queue", "site", "submission", "results", "tmp"):
        (home / folder).mkdir()
    files = autograder_files()
    mistakes = [name for name in files if name.startswith("solution/mistakes/")]
    complete = [name for name in mistakes if b"\nChanges: " not in files[name]]
    left_out = set(mistakes).difference(complete[::MISTAKE_STEP])
    for name, content in files.items():
        if not name.startswith("trees/") and name not in left_out:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(content)
    shutil.copytree(HOSTILE / "trees", source / "trees")
    copy(RUBRIC, source / "autograder" / "rubric.yaml")
    copy(HOSTILE / "metadata.json", home / "submission_metadata.json")
    for name in expectation_texts():
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
    prepare = "import hostile_run, pathlib; hostile_run.prepare(pathlib.Path.cwd())"
    command = [sys.executable, "-s", "-c", prepare]
    subprocess.run(command, cwd=source, env=environment(home), check=True)


def copy(path, to):
    """Copy a file to where no folder may be yet."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def environment(home):
    """Return the environment of a grader in Gradescope's folder."""
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": f"{home}/site:{home}/source",
        "TMPDIR": f"{home}/tmp",
        "CANARY_TOKEN": "canaryenvironment",
    }


def as_user(uid):
    """Return what starts a process as the user of this number; None: as it is."""
    if uid is None:
        return {}
    return {"user": uid, "group": uid, "extra_groups": [], "umask": 0o077}


@cache
def python_of(uid):
    """Return a Python that the user may run: this one, the system's, or None."""
    code = "import sys, ctypes; sys.exit(sys.version_info < (3, 10))"
    how = {"cwd": "/", "env": {}, "stderr": subprocess.DEVNULL, **as_user(uid)}
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
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


def grade_as(user, laid_out):
    """Return name -> report of what this user grades; None: the grader was ended."""
    uid = UIDS[user]
    names = names_for(user)
    cpu = list(UIDS).index(user)
    options = json.dumps({"cpu": cpu, "alone": uid is not None, "names": names})
    with tempfile.TemporaryDirectory(prefix="gradescope-") as folder:
        home = Path(folder)
        shutil.copytree(laid_out, home, symlinks=True, dirs_exist_ok=True)
        hand_over(home, uid)
        program = [python_of(uid), "-B", "-s", home / "site" / "hostile_run.py"]
        with tempfile.TemporaryFile() as out:  # a process that is left may hold a pipe open
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
            printed = [json.loads(line) for line in out]
    reports = dict.fromkeys(names)
    for report in printed:
        reports[report["name"]] = report
    return reports


def grade_all(laid_out):
    """Return user -> name -> report of all submissions, graded by all users at once."""
    users = [user for user, uid in UIDS.items() if python_of(uid) is not None]
    with ThreadPoolExecutor() as pool:
        grade = partial(grade_as, laid_out=laid_out)
        return dict(zip(users, pool.map(grade, users)))


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Return user -> name -> report. One process of the tests grades for all of them."""
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
    return json.loads(path.read_text())


# ---- what each may lead to


def complaints(report, expected, rows):
    """Return in lines what the submission got that it should not have, or did not get.

    `rows` are the (number, name, max_score) that every results.json must list.
    """
    if report is None:
        return ["the grader itself was ended"]
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
    if results["score"] != expected.score:
        lines.append(f"score {results['score']}, expected {expected.score}: {screen}")
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
    shown += " ".join(shown.split())  # where a line ends is not the point
    for alternatives in expected.says:
        if not any(words in shown for words in alternatives):
            lines.append(f"does not say {' or '.join(alternatives)!r}")
    return lines


def rows_of(results):
    """Return the (number, name, max_score) of every row."""
    return [(row["number"], row["name"], row["max_score"]) for row in results["tests"]]


def rows_of_honest(reports):
    """Return the rows of the honest submission's results."""
    return rows_of(json.loads(reports[HONEST]["results"]))


@pytest.mark.parametrize("user, name", CASES)
def test_a_hostile_submission_gets_what_it_should_and_leaves_nothing(user, name, reports):
    if user not in reports:
        pytest.skip("no Python of this machine can be run by an ordinary user")
    rows = rows_of_honest(reports[user])
    assert complaints(reports[user][name], expectation_of(name), rows) == []


def test_the_rows_are_those_of_the_rubric(reports):
    rows = rows_of_honest(next(iter(reports.values())))
    functions = [name.split(":")[0] for _, name, _ in rows]
    assert list(dict.fromkeys(functions)) == list(POINTS)
    assert len(rows) > 10
    assert sum(max_score for _, _, max_score in rows) == TOTAL


@pytest.mark.parametrize("of_report, of_results", cases("wrong reports"))
def test_a_report_with_one_thing_wrong_brings_a_complaint(of_report, of_results, reports):
    honest_reports = next(iter(reports.values()))
    honest = honest_reports[HONEST]
    results = json.loads(honest["results"]) | of_results
    report = honest | {"results": json.dumps(results)} | of_report
    rows = rows_of_honest(honest_reports)
    assert complaints(report, expectation_of(HONEST), rows)


def test_a_grader_that_was_ended_brings_a_complaint():
    assert complaints(None, expectation_of(HONEST), [])


def test_each_is_one_predicament_which_its_first_line_names():
    lines = [text.lstrip('"\n').partition("\n")[0] for text in expectation_texts().values()]
    assert len(set(lines)) == len(lines) >= MIN_SUBMISSIONS
    assert [line for line in lines if not line.endswith(".")] == []
    assert len(names_for("user")) >= MIN_ATTACKS
