"""Rehearse Gradescope with the zip in dist/: its folders, its users, five uploads.

The files in the zip must be those of the current kit. The rehearsal builds the zip once.
Then one user after another grades the uploads. The results must be the same as those of
`make grade`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.variants import load_variant
from autograder.ground.command import run
from autograder.kit import ROOT, cached_kit
from autograder.kit.contents import autograder_files
from autograder.showing.results import RESULTS
from autograder.workbench.check import WRONG
from gametree.support.errors import InputError

USER_ID = 12345  # an ordinary user without an account on this machine
MEMORY = 768 * 2**20  # bytes that Gradescope's default container has
# A shell sets its own limit and then becomes the command.
LIMITED = f'ulimit -v {MEMORY // 1024} && exec "$@"'
MAX_SECONDS = 600  # Gradescope's default timeout for one submission
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
# The prefixes of environment variables that setup.sh needs for the network.
PASSED_ON = ("PIP_", "SSL_", "HTTP_", "HTTPS_", "http_", "https_")
METADATA = '{"users": [{"id": 3, "name": "Ada", "email": "ada@example.edu"}]}'
FORGERY = """
import os, signal
for base in ("/autograder", "@HOME@"):
    try:
        open(f"{base}/results/results.json", "w").write('{"output": "forged"}')
        print(open(f"{base}/submission_metadata.json").read())
    except OSError:
        pass
os.kill(os.getppid(), signal.SIGKILL)
"""


def main(archive: Path | None = None) -> int:
    """Rehearse as every available user; return 1 if an error was found, else 0."""
    begun = time.monotonic()
    if archive is None:
        archive = ROOT / "dist" / cached_kit().rubric.zip_name("autograder")
    check(archive)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        faults = rehearse(lay_out(archive, Path(folder)))
    for fault in faults:
        print(f"FAULT {fault}")
    outcome = "FAILED" if faults else "everything matches make dist and make grade"
    print(f"{time.monotonic() - begun:.0f} s, {outcome}")
    return 1 if faults else 0


def rehearse(home: Path) -> list[str]:
    """Build in the folder and grade as every user; return the faults."""
    users: dict[str, int | None] = {"as you": None}
    python = f"{sys.base_prefix}/bin"
    if os.geteuid() == 0:
        users = {"as root": None}
        shared = python_for(USER_ID)
        if shared:
            users["as an ordinary user"] = USER_ID
            python = shared
    print(f"grading {' and '.join(users)}", flush=True)
    built = Container(home, python)
    setup = built.run(["bash", home / "source" / "setup.sh"])
    if setup.returncode:
        return [f"setup.sh ended with status {setup.returncode}: {setup.stdout[-200:]}"]
    uploads = write_uploads(home, cached_kit().rubric.cutoff)
    expected = [results_of_make_grade(upload) for upload in uploads]
    faults = []
    for user, uid in users.items():
        container = built._replace(uid=uid)
        for upload, results in zip(uploads, expected):
            fault = container.grade(upload, results)
            if fault:
                faults.append(f"{user}: {upload.name}: {fault}")
    return faults


def check(archive: Path) -> None:
    """Raise InputError if the files in the zip are not those of the kit."""
    name = f"{archive.parent.name}/{archive.name}"
    if not zipfile.is_zipfile(archive):
        raise InputError(f"{name} is missing or damaged; run make dist")
    with zipfile.ZipFile(archive) as opened:
        packed = {file: opened.read(file) for file in opened.namelist()}
    if packed != autograder_files():
        raise InputError(f"{name} is not of this kit; run make dist again")
    print(f"{name}: {len(packed)} files, the same as in this kit")


class Container(NamedTuple):
    """A container in which Gradescope grades.

    home: the folder of the user and of the autograder.
    python: the folder of the python3 to use.
    uid: the user of the processes, or None for the current user.
    """

    home: Path
    python: str
    uid: int | None = None

    def run(
        self, command: Sequence[str | Path], timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with the user, the environment and the memory of the container."""
        env = {key: text for key, text in os.environ.items() if key.startswith(PASSED_ON)}
        env["PATH"] = f"{self.python}:{PATH}"
        env["LC_ALL"] = "C.UTF-8"
        env["HOME"] = env["AUTOGRADER_HOME"] = str(self.home)
        return subprocess.run(
            ["sh", "-c", LIMITED, "sh", *command],
            user=self.uid,
            group=self.uid,
            extra_groups=None if self.uid is None else [],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
            timeout=timeout,
        )

    def grade(self, upload: Path, expected: str) -> str:
        """Grade the files of a folder as Gradescope does; return a fault or "".

        expected: the text of results.json.
        """
        home = self.home
        for folder in ("submission", "results"):
            shutil.rmtree(home / folder, ignore_errors=True)
        shutil.copytree(upload, home / "submission")
        (home / "results").mkdir()
        shutil.copy(home / "source" / "run_autograder", home)
        self.hand_over()
        try:
            done = self.run([home / "run_autograder"], MAX_SECONDS)
        except subprocess.TimeoutExpired:
            return f"not graded within {MAX_SECONDS} s"
        if done.returncode:
            return (
                f"run_autograder ended with status {done.returncode}: {done.stdout[-200:]}"
            )
        return difference(expected, (home / "results" / RESULTS).read_text())

    def hand_over(self) -> None:
        """Make the user the owner of all files, unless it is the current user."""
        if self.uid is not None:
            for path in [self.home, *self.home.rglob("*")]:
                os.chown(path, self.uid, self.uid, follow_symlinks=False)


def difference(expected: str, found: str) -> str:
    """Return the first line in which two results differ, in both versions, or ""."""
    before = expected.replace("\\n", "\n").splitlines()
    after = found.replace("\\n", "\n").splitlines()
    for line, other in zip_longest(before, after, fillvalue=""):
        if line != other:
            return f"make grade: {line}\n  the zip: {other}"
    return ""


def python_for(uid: int) -> str | None:
    """Return the folder of a python3 (3.10 or newer) that a user may run, or None."""
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"
    for folder in (f"{sys.base_prefix}/bin", "/usr/bin", "/usr/local/bin"):
        command = [f"{folder}/python3", "-c", code]
        if Container(Path("/"), folder, uid).run(command).returncode == 0:
            return folder
    return None


def lay_out(archive: Path, folder: Path) -> Path:
    """Unpack the zip in a folder as Gradescope does; return its autograder/.

    Execute bits are dropped, because an upload can drop them.
    """
    folder.chmod(0o755)
    home = folder / "autograder"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home / "source")
    (home / "submission_metadata.json").write_text(METADATA)
    return home


def write_uploads(home: Path, cutoff: str) -> list[Path]:
    """Write the uploads into folders beside an autograder, and return the folders.

    cutoff: the course's rule for ties.
    """
    sources = {
        "correct": load_variant(ROOT / "solution" / "search.py", cutoff).source,
        "wrong": load_variant(ROOT / WRONG, cutoff).source,
        "hanging": "while True: pass\n",
        "forging": FORGERY.replace("@HOME@", str(home)),
        "empty": "",
    }
    for name, source in sources.items():
        upload = home.with_name(name)
        upload.mkdir()
        if source:
            (upload / "search.py").write_text(source, encoding="utf-8")
    return [home.with_name(name) for name in sources]


def results_of_make_grade(upload: Path) -> str:
    """Return the results.json that `make grade` writes for an upload."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-B", "-m", "autograder.grade", "--brief"]
        command += [str(upload), "--out", folder]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        return (Path(folder) / RESULTS).read_text()


if __name__ == "__main__":
    run("rehearse", main)
