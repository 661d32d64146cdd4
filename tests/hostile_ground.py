"""Hostile submissions: what each is to lead to, and Gradescope's folders to grade them in.

The first docstring line of a hostile file says the predicament. Below it stand

    Expect: score 80                   points out of 100, always there
    Expect: says "it raised KeyError"  words that the student reads; "a" or "b": either

A folder holds the same lines in expect.txt, and what is submitted in submission/.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from results_schema import problems_of_text

from autograder.workbench.package import autograder_files

HERE = Path(__file__).resolve().parent
HOSTILE = HERE / "hostile"
FULL_MARKS = "Every value, every leaf and every node count is right."
SECRETS = ("canary", "31336", "31337", "31339", "31340", "41551", "41552", "41554",
           "41555", "41556", "41557", "41558")  # fmt: skip
NEVER_SHOWN = (
    "BREACH",
    "FloatingPointError",
    "Traceback (most recent",
    "zygote.py",
    "worker.py",
)
RIGHT = "carriage_returns"  # an honest one
ATTACKS = re.compile(r"BREACH|@HOME@|@GRADER@|os\.kill")
EXPECT = re.compile(r"^Expect: (score|says) (.+)$", re.MULTILINE)
USER = 20_000 + os.getpid() % 20_000  # an ordinary user, of this run of the tests alone
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
UIDS = {"root": None, "user": USER} if ROOT else {"user": None}
MOST_SECONDS = 600
METADATA = {
    "id": 123456,
    "users": [{"email": "canary@example.edu", "id": 1, "name": "Canary Student"}],
    "previous_submissions": [{"score": 1.0, "results": {"output": "canaryprevious"}}],
}


@dataclass(frozen=True)
class Expectation:
    """The predicament in a line, the score, and for each "says" its possible words."""

    predicament: str
    score: float
    says: tuple


def names():
    """Return the names of all hostile submissions."""
    files = [path.stem for path in HOSTILE.glob("*.py")]
    folders = [path.parent.name for path in HOSTILE.glob("*/expect.txt")]
    return sorted(files + folders)


def text_of(name):
    """Return the text that says what a hostile submission is to lead to."""
    folder = HOSTILE / name / "expect.txt"
    return (folder if folder.exists() else HOSTILE / f"{name}.py").read_text("utf-8")


def expectation(name):
    """Return the Expectation that a hostile submission declares."""
    text = text_of(name)
    predicament = text.lstrip('"\n').split("\n", 1)[0]
    lines = EXPECT.findall(text)
    scores = [float(rest) for word, rest in lines if word == "score"]
    says = [re.findall(r'"([^"]*)"', rest) for word, rest in lines if word == "says"]
    if len(scores) != 1 or not all(says) or not (says or scores == [100.0]):
        raise ValueError(f"{name}: give one `Expect: score` and an `Expect: says`")
    return Expectation(predicament, scores[0], tuple(says or [[FULL_MARKS]]))


def complaints(report, expected, rows):
    """Return what is wrong with a report, as lines; [] where all is as expected.

    `rows` are the (number, name, max_score) that every results.json must list.
    """
    return breaches(report, expected, rows) + wrong_words(report, expected)


def breaches(report, expected, rows):
    """Return in lines what the submission got that it should not have."""
    if report is None:
        return ["the grader itself was ended"]
    if report["fault"]:
        return [f"the grader failed: {report['fault']}"]
    text = report["results"].lower()
    wrong = problems_of_text(report["results"])
    if wrong:
        return wrong
    data = json.loads(report["results"])
    listed = [(t["number"], t["name"], t["max_score"]) for t in data["tests"]]
    if listed != rows:
        wrong.append("the rows are not those of every submission")
    if data["score"] != expected.score:
        wrong.append(f"score {data['score']}, expected {expected.score}")
    wrong += [f"shows {word}" for word in SECRETS if word in text]
    wrong += [f"shows {word!r}" for word in NEVER_SHOWN if word.lower() in text]
    wrong += [f"left the process {line}" for line in report["processes"]]
    wrong += [f"left or changed the file {path}" for path in report["files"]]
    if report["honest"] != 100.0:
        wrong.append(f"the next honest submission scored {report['honest']}")
    return wrong


def wrong_words(report, expected):
    """Return the reasons that the student should read and cannot."""
    if report is None or report["fault"]:
        return []
    data = json.loads(report["results"])
    shown = "\n".join([data["output"], *(test["output"] for test in data["tests"])])
    return [
        f"does not say {' or '.join(words)!r}"
        for words in expected.says
        if not any(word in shown for word in words)
    ]


class Ground:
    """A temporary AUTOGRADER_HOME for one user; a context manager.

    `uid` is the number of the ordinary user that it belongs to and that grades there, or
    None for whoever runs the tests.
    """

    def __init__(self, uid=None, off=(), turn=0):
        self.uid, self.off, self.turn = uid, tuple(off), turn
        self.held, self.missing = [], []

    def __enter__(self):
        self._files = ExitStack()
        self.home = Path(tempfile.mkdtemp(prefix="gradescope-"))
        shutil.copytree(laid_out(), self.home, symlinks=True, dirs_exist_ok=True)
        self._hand_over()
        return self

    def __exit__(self, *_):
        self._files.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _hand_over(self):
        """Close the folders as run_autograder does, or give all to the ordinary user."""
        self.home.chmod(0o755)
        if self.uid is not None:
            for path in [self.home, *self.home.rglob("*")]:
                os.chown(path, self.uid, self.uid, follow_symlinks=False)
        elif os.geteuid() == 0:
            for closed in ("source", "submission", "results", "queue", "site", "tmp"):
                (self.home / closed).chmod(0o700)
            (self.home / "submission_metadata.json").chmod(0o600)

    def start(self, some=None):
        """Start grading the submissions of these names (all); `reports` waits for it."""
        self._names = list(names() if some is None else some)
        options = {"names": self._names, "off": self.off, "turn": self.turn}
        options["alone"] = self.uid is not None
        user = {} if self.uid is None else {"user": self.uid, "group": self.uid}
        if user:
            user.update(extra_groups=[], umask=0o077)
        # Files: a pipe that nobody reads yet would hold up a ground until its turn comes.
        self._told = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._errors = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._process = subprocess.Popen(
            [python_of(self.uid), "-B", "-s", self.home / "site" / "hostile_run.py",
             self.home, json.dumps(options)],
            stdin=subprocess.DEVNULL,
            stdout=self._told,
            stderr=self._errors,
            cwd=self.home / "source",
            env={**environment(self.home), "CANARY_TOKEN": "canaryenvironment"},
            start_new_session=True,
            **user,
        )  # fmt: skip
        return self

    def reports(self):
        """Return name -> report of each submission; None for one that ended the grader."""
        reports = {}
        while True:
            try:
                self._process.wait(timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._told.seek(0)
            self._errors.seek(0)
            lines = [json.loads(line) for line in self._told]
            if not lines:
                raise RuntimeError(f"the grader did not start: {self._errors.read()}")
            self.held, self.missing = lines[0]["held"], lines[0]["missing"]
            reports.update({line["name"]: line for line in lines[1:]})
            left = [name for name in self._names if name not in reports]
            if not left:
                return reports
            reports[left[0]] = None
            self.start(left[1:])


@cache
def laid_out():
    """Return the folder from which each ground is copied, with what is known of its kit.

    It is removed when the tests end.
    """
    made = tempfile.TemporaryDirectory(prefix="gradescope-")
    atexit.register(made.cleanup)
    home = Path(made.name)
    source, queue, site = home / "source", home / "queue", home / "site"
    for name, path in autograder_files().items():
        if not name.startswith("trees/"):
            _copy(path, source / name)
    shutil.copytree(HOSTILE / "trees", source / "trees")
    _copy(HOSTILE / "rubric.yaml", source / "autograder" / "rubric.yaml")
    for folder in ("submission", "results", "tmp", "site"):
        (home / folder).mkdir()
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))
    for name in names():
        if (HOSTILE / name).is_dir():
            shutil.copytree(HOSTILE / name / "submission", queue / name, symlinks=True)
        else:
            _copy(HOSTILE / f"{name}.py", queue / name / "search.py")
    (queue / "link_called_search_py" / "search.py").symlink_to("/etc/hostname")
    py_compile.compile(
        source / "solution" / "search.py",
        importlib.util.cache_from_source(queue / "stale_bytecode" / "search.py"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    for package in ("yaml", "gradescope_utils"):
        folder = Path(importlib.util.find_spec(package).origin).parent
        shutil.copytree(folder, site / package)
    _copy(HERE / "hostile_run.py", site / "hostile_run.py")
    prepared = "import hostile_run, pathlib; hostile_run.prepare(pathlib.Path.cwd())"
    subprocess.run(
        [sys.executable, "-s", "-c", prepared],
        cwd=source,
        env=environment(home),
        check=True,
    )
    return home


def _copy(path, to):
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def environment(home):
    """Return the environment of a grader in a ground."""
    return {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": f"{home}/site:{home}/source",
        "TMPDIR": str(home / "tmp"),
    }


@cache
def python_of(uid):
    """Return a Python that the user may run: this one, or the system's."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        if uid is None or runs_for(python, uid):
            return python
    return None


def runs_for(python, uid):
    """Tell whether the user of this number may run the Python, if it is new enough."""
    code = "import sys, ctypes; sys.exit(sys.version_info < (3, 10))"
    try:
        tried = subprocess.run([python, "-c", code], user=uid, group=uid, extra_groups=[],
                               cwd="/", env={}, stderr=subprocess.DEVNULL)  # fmt: skip
    except OSError:
        return False
    return tried.returncode == 0


def graded(user, off=(), some=None):
    """Return (name -> report, names of the layers held) of a user's grader.

    `off` are layers to switch off, `some` the names of submissions, if not all that
    concern the user. Two grounds grade at once, since many submissions wait to be stopped.
    """
    queue = list(some or (names() if user == next(iter(UIDS)) else attacks()))
    reports = {}
    with ExitStack() as stack:
        grounds = []
        for half in range(2):
            own = (
                UIDS[user] and UIDS[user] + half * 20_000
            )  # what is left is told by its user
            ground = stack.enter_context(Ground(own, off, half))
            grounds.append(ground.start([RIGHT, *queue[half::2]]))
        for ground in grounds:
            reports.update(ground.reports())
    return reports, ground.held


def attacks():
    """Return the names of those that name the grader or try what a layer forbids."""
    return [name for name in names() if ATTACKS.search(text_of(name))]


def rows_of(reports):
    """Return the (number, name, max_score) of every row, from an honest submission."""
    tests = json.loads(reports[RIGHT]["results"])["tests"]
    return [(t["number"], t["name"], t["max_score"]) for t in tests]
