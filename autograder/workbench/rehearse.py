"""Rehearse Gradescope: its folders and metadata, its users, six submissions."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder.command import run
from autograder.kit import ROOT
from autograder.mistakes.variants import load_variant, run_source
from autograder.workbench.confine import Box, python_for
from autograder.workbench.package import package

USER = 12345  # an ordinary user; no account has the number
MOST_SECONDS = 600  # Gradescope's own limit, for one submission
SECRET = "rehearsed-secret"
METADATA = {
    "id": 1,
    "created_at": "2024-09-01T12:00:00.000000-07:00",
    "submission_method": "upload",
    "assignment": {"id": 2, "title": SECRET, "total_points": "100.0"},
    "users": [{"id": 3, "name": SECRET, "email": f"{SECRET}@example.edu"}],
    "previous_submissions": [
        {"score": 0.0, "autograder_error": False, "results": {"output": SECRET}}
    ],
}
LOOP = """

def alphabeta(node, depth, alpha, beta, maximizing):
    while True:
        pass
"""
FORGERY = """\
import atexit, os, signal
def forge(*_):
    for base in (os.environ.get("AUTOGRADER_HOME"), "/autograder", "@HOME@"):
        try:
            with open(f"{base}/results/results.json", "w") as file:
                file.write('{"score": 100, "output": "forged"}')
            print(open(f"{base}/submission_metadata.json").read())
        except OSError:
            pass
atexit.register(forge)
for act in (forge, lambda: os.kill(os.getppid(), 9), os.fork):
    try:
        act()
    except OSError:
        pass
"""


def rehearse(root=ROOT):
    """Rehearse as every user that can be had; print a table; return whether all is well."""
    begun = time.monotonic()
    users = {"root": None, "user": USER} if os.geteuid() == 0 else {"user": None}
    with ThreadPoolExecutor() as grading, ThreadPoolExecutor() as playing:
        made = {
            name: grading.submit(made_by_grade, files, root)
            for name, (files, _) in submissions(root, "/autograder").items()
        }
        with tempfile.TemporaryDirectory() as folder:
            package(root, folder)
            archive = Path(folder) / "autograder.zip"
            rehearsals = [
                Rehearsal(lay_out(archive), root, uid, name, made)
                for name, uid in users.items()
            ]
        try:
            list(playing.map(Rehearsal.play, rehearsals))
        finally:
            for rehearsal in rehearsals:
                shutil.rmtree(rehearsal.home, ignore_errors=True)
    for rehearsal in rehearsals:
        print(f"as {rehearsal.name}: " + "\n  ".join(rehearsal.lines))
    faults = [f"as {r.name}, {fault}" for r in rehearsals for fault in r.faults]
    for fault in faults:
        print(f"rehearse: {fault}", file=sys.stderr)
    outcome = "FAILED" if faults else "all as it should be"
    print(f"{time.monotonic() - begun:.0f} s, {outcome}")
    return not faults


class Rehearsal:
    """One user's rehearsal: a home, a box, and the lines that the table shows.

    `made` maps a submission's name to the Future of what `make grade` writes about it.
    """

    def __init__(self, home, root, uid, name, made):
        self.home, self.source = home, home / "source"
        self.root, self.uid, self.name, self.made = root, uid, name, made
        self.lines, self.faults = [], []
        self.hand_over()

    def hand_over(self):
        """Give everything to the ordinary user, if this is a rehearsal as one."""
        if self.uid is not None:
            for path in [self.home, *self.home.rglob("*")]:
                os.chown(path, self.uid, self.uid, follow_symlinks=False)

    def play(self):
        """Set up, grade all submissions, and note what is wrong in `faults`."""
        folder = python_for(self.uid)
        if folder is None:
            self.lines.append("no Python here that this user may run: not rehearsed")
            return
        places = f"{folder}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        passed = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_"))
                  or k.lower().endswith("_proxy")}  # fmt: skip
        env = {**passed, "PATH": places, "HOME": str(self.home), "LC_ALL": "C.UTF-8",
               "AUTOGRADER_HOME": str(self.home), "TOKEN": SECRET}  # fmt: skip
        if not self.set_up(env):
            return
        with Box(self.uid) as box:
            self.lines.append(", ".join(box.words))
            for name, (files, expected) in submissions(self.root, self.home).items():
                self.grade(box, env, name, files, expected)

    def set_up(self, env):
        """Run setup.sh, when no bounds hold yet; return whether it did what is needed."""
        begun = time.monotonic()
        unbounded = Box(self.uid)
        done = unbounded.run(["bash", self.source / "setup.sh"], cwd="/", env=env)
        seconds = time.monotonic() - begun
        first, *more = done.stdout.strip().splitlines()[-3:] or ["it said nothing"]
        last = [first, *more][-1]
        if done.returncode:
            self.faults.append(f"setup.sh ended with status {done.returncode}: {last}")
        elif not (self.source / "run_autograder").stat().st_mode & stat.S_IXUSR:
            self.faults.append("setup.sh left run_autograder without its execute bit")
        self.lines.append(f"{'setup.sh':<10} {'':>6} {'':>5} {seconds:>6.1f} s  {first}")
        self.lines += [" " * 34 + line for line in more]
        return not self.faults

    def grade(self, box, env, name, files, expected):
        """Grade one submission as Gradescope does and as make grade does; compare."""
        folder = self.home / "submission"
        shutil.rmtree(folder)
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text)
        self.hand_over()
        shutil.copy(self.source / "run_autograder", self.home / "run_autograder")
        begun = time.monotonic()
        try:
            done = box.run([self.home / "run_autograder"], cwd=self.home, env=env,
                           timeout=MOST_SECONDS)  # fmt: skip
        except subprocess.TimeoutExpired:
            self.faults.append(f"{name}: not graded within {MOST_SECONDS} s")
            return
        seconds = time.monotonic() - begun
        path = self.home / "results" / "results.json"
        text = path.read_text() if path.exists() else ""
        faults = self.faults_of(done, text, expected)
        if text != self.made[name].result():
            faults.append("not the bytes of make grade")
        faults += [f"left {line}" for line in processes_of(self.home)]
        faults += [f"left results/{p.name}" for p in path.parent.iterdir() if p != path]
        self.faults += [f"{name}: {fault}" for fault in faults]
        data = json.loads(text) if text else {}
        self.lines.append(
            f"{name:<10} {data.get('score', 'none'):>6} {len(data.get('tests', ())):>5} "
            f"{seconds:>6.1f} s  {'; '.join(faults) or 'as documented, as make grade'}"
        )

    def faults_of(self, done, text, expected):
        """Return what is wrong with one run of run_autograder."""
        if done.returncode:
            output = done.stdout.strip()[-200:]
            return [f"run_autograder: status {done.returncode}: {output}"]
        schema = run_source((self.root / "tests" / "results_schema.py").read_text())
        faults = schema.problems_of_text(text)
        if not faults and not expected(json.loads(text)["score"]):
            faults.append(f"scored {json.loads(text)['score']}")
        if SECRET in text or "forged" in text or SECRET in done.stdout:
            faults.append("the metadata or a forgery shows in the results")
        return faults


def lay_out(archive):
    """Unpack the zip as Gradescope does, below a new folder; return the folder.

    The execute bits are lost on the way, as uploads can lose them.
    """
    home = Path(tempfile.mkdtemp(prefix="rehearse-"))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home / "source")
    for folder in ("submission", "results"):
        (home / folder).mkdir()
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))
    home.chmod(0o755)
    return home


def submissions(root, home):
    """Return name -> (file name -> text of the submission, points it must get)."""
    right = (root / "solution" / "search.py").read_text()
    wrong = load_variant(root / "solution" / "mistakes" / "no_cutoff.py").source
    return {
        "right": ({"search.py": right}, lambda score: score == 100),
        "wrong": ({"search.py": wrong}, lambda score: 0 < score < 100),
        "hanging": ({"search.py": right + LOOP}, lambda score: 0 < score < 100),
        "forging": (
            {"search.py": FORGERY.replace("@HOME@", str(home))},
            lambda score: score == 0,
        ),
        "empty": ({}, lambda score: score == 0),
        "misnamed": ({"Search.py": right}, lambda score: score == 0),
    }


def made_by_grade(files, root):
    """Return the results.json that `make grade` writes about these files."""
    with tempfile.TemporaryDirectory() as folder:
        submission, out = Path(folder) / "submission", Path(folder) / "out"
        submission.mkdir()
        for file, text in files.items():
            (submission / file).write_text(text)
        command = [sys.executable, "-B", "-m", "autograder.grade", submission, "--out", out]
        subprocess.run([*command, "--brief"], cwd=root, capture_output=True, check=True)
        return (out / "results.json").read_text()


def processes_of(home):
    """Return the command lines of processes that belong to the rehearsal at `home`."""
    processes = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            command = path.read_text(errors="replace").replace("\0", " ")
            if f"{home}/source" in command:
                processes.append(f"process {path.parent.name}: {command}")
    return processes


if __name__ == "__main__":
    run("rehearse", lambda: 0 if rehearse() else 1)
