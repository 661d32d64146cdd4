"""Rehearse Gradescope with the zip in dist/: its folders, its users, five uploads.

The files in the zip must be those of the current kit. The rehearsal builds the zip once.
Then each user grades the uploads in a copy. The results must be the same as those of `make
grade`.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from autograder.explaining.variants import load_variant
from autograder.ground.command import run
from autograder.kit import ROOT
from autograder.kit.solution import reference_text
from autograder.scoring.rubric import load_rubric
from autograder.showing.results import FAULTS, RESULTS
from autograder.workbench.check import WRONG
from autograder.workbench.package import autograder_files
from autograder.workbench.treeset import published_warning
from gametree import load_trees
from gametree.support.errors import InputError

USER_ID = 12345  # an ordinary user without an account on this machine
MEMORY = 768 * 2**20  # bytes that Gradescope's default container has
MAX_SECONDS = 600  # Gradescope's default timeout for one submission
# The prefixes of environment variables that setup.sh needs for the network.
PASSED_ON = ("PIP_", "SSL_", "HTTP_", "HTTPS_", "http_", "https_")
FAULT = "FAULT:"  # marks an error in a line of the report
SECRET = "rehearsed-secret"  # in the metadata, which no result may show
METADATA = {"users": [{"id": 3, "name": SECRET, "email": f"{SECRET}@example.edu"}]}
MAX_SHOWN = 200  # characters of a line that differs
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
        rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
        archive = ROOT / "dist" / rubric.zip_name("autograder")
    check(archive)
    warning = published_warning(load_trees(ROOT / "trees" / "hidden"), ROOT)
    if warning:
        print(f"warning: {warning}")
    home = lay_out(archive)
    try:
        reports = rehearse(home)
    finally:
        shutil.rmtree(home.parent, ignore_errors=True)
    failed = False
    for title, lines in reports.items():
        print(f"{title}: " + "\n  ".join(lines))
        failed = failed or any(FAULT in line for line in lines)
    outcome = "FAILED" if failed else "everything matches make dist and make grade"
    print(f"{time.monotonic() - begun:.0f} s, {outcome}")
    return 1 if failed else 0


def rehearse(home: Path) -> dict[str, list[str]]:
    """Build in the folder and grade as every user; return title -> lines of a report."""
    users: dict[str, int | None] = {"as you": None}
    if os.geteuid() == 0:
        users = {"as root": None, "as an ordinary user": USER_ID}
    *_, ordinary = users.values()
    env = environment(python_for(ordinary) or python_for(None) or "/usr/bin")
    with ThreadPoolExecutor() as pool:
        expected = pool.submit(results_by_grade)
        lines = build(home, env)
        reports = {"the build": lines}
        if FAULT not in lines[-1]:
            grade = partial(grade_as, home, env, expected)
            reports.update(zip(users, pool.map(grade, users.values())))
    return reports


def check(archive: Path) -> None:
    """Raise InputError if a file in the zip differs from the file of the kit."""
    name = f"{archive.parent.name}/{archive.name}"
    if not archive.is_file():
        raise InputError(f"{name} does not exist; run make dist")
    with zipfile.ZipFile(archive) as opened:
        packed = {file: opened.read(file) for file in opened.namelist()}
    of_kit = autograder_files()
    for file in sorted({*packed, *of_kit}):
        if packed.get(file) != of_kit.get(file):
            raise InputError(f"{name} differs from this kit in {file}; run make dist again")
    print(f"{name}: {len(packed)} files, the same as in this kit")


def environment(python: str) -> dict[str, str]:
    """Return the environment of Gradescope's processes.

    python: the folder of the python3 to use.
    """
    env = {key: value for key, value in os.environ.items() if key.startswith(PASSED_ON)}
    env["PATH"] = f"{python}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    env["LC_ALL"] = "C.UTF-8"
    return env


def build(home: Path, env: Mapping[str, str]) -> list[str]:
    """Run setup.sh in an unpacked folder; return a line for each step."""
    begun = time.monotonic()
    setup = run_as(None, ["bash", home / "source" / "setup.sh"], home, env, cwd="/")
    lines = [f"setup.sh: {time.monotonic() - begun:.1f} s"]
    lines += setup.stdout.strip().splitlines()[-3:]
    if setup.returncode:
        return [*lines, f"{FAULT} setup.sh ended with status {setup.returncode}"]
    return lines


def grade_as(
    built: Path, env: Mapping[str, str], expected: Future[dict[str, str]], uid: int | None
) -> list[str]:
    """Grade the uploads as one user; return a line for each step, with FAULT on errors.

    built: the folder of the build; the user gets a copy.
    expected: a submission's name -> the results.json of `make grade`.
    uid: the user of the processes, or None for the current user.
    """
    home = built.with_name(f"autograder-{uid}")
    shutil.copytree(built, home, symlinks=True)
    hand_over(home, uid)
    if not may_run(uid, home / "source" / ".venv" / "bin" / "python"):
        return ["not rehearsed, because this user may not run the Python of the build"]
    lines = []
    for name, files in submissions(home).items():
        begun = time.monotonic()
        faults, text = grade_upload(env, home, uid, files)
        seconds = time.monotonic() - begun
        difference = first_difference(expected.result()[name], text)
        if difference:
            faults.append(difference)
        outcome = f"{FAULT} {'; '.join(faults)}" if faults else "the same as make grade"
        lines.append(f"{name}: {seconds:.1f} s, {outcome}")
    return lines


def grade_upload(env, home, uid, files) -> tuple[list[str], str]:
    """Grade one submission as Gradescope does; return the errors and results.json."""
    for folder in ("submission", "results"):
        shutil.rmtree(home / folder, ignore_errors=True)
    write_files(home / "submission", files)
    (home / "results").mkdir()
    shutil.copy(home / "source" / "run_autograder", home)
    hand_over(home, uid)
    try:
        done = run_as(uid, [home / "run_autograder"], home, env, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"not graded within {MAX_SECONDS} s"], ""
    results = home / "results" / RESULTS
    text = results.read_text() if results.exists() else ""
    report = home / "results" / FAULTS
    faults = []
    if report.exists():
        faults.append(f"internal error: {report.read_text().strip().splitlines()[-1]}")
    if done.returncode:
        faults.append(f"run_autograder: status {done.returncode}: {done.stdout[-200:]}")
    if SECRET in text or "forged" in text or SECRET in done.stdout:
        faults.append("the results contain the metadata or a forgery")
    return faults, text


def first_difference(expected: str, found: str) -> str:
    """Return both versions of the first line in which two results differ, or ""."""
    nothing = "no more lines"
    lines = map(_lines_of, (expected, found))
    for line, other in itertools.zip_longest(*lines, fillvalue=nothing):
        if line != other:
            shown = line.strip()[:MAX_SHOWN]
            shown_other = other.strip()[:MAX_SHOWN]
            return f"make grade writes: {shown}\n    the zip writes: {shown_other}"
    return ""


def _lines_of(results):
    """Return the lines of a results.json, and of the texts in it."""
    if not results:
        return []
    return json.dumps(json.loads(results), indent=1).replace("\\n", "\n").splitlines()


def run_as(
    uid: int | None, command: list, home: Path, env: Mapping[str, str], **options
) -> subprocess.CompletedProcess:
    """Run a command as a user with the memory of a container.

    uid: the user, or None for the current user.
    home: the folder of the user and of the autograder.

    A shell sets its own limit and then becomes the command. So no Python code runs between
    fork and exec, where a lock of another thread could block it forever.
    """
    words = ["sh", "-c", f'ulimit -v {MEMORY // 1024} && exec "$@"', "sh"]
    if uid is not None:
        words += ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    return subprocess.run(
        [*words, *command],
        env={**env, "HOME": str(home), "AUTOGRADER_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )


def python_for(uid: int | None) -> str | None:
    """Return the folder of a python3 (3.10 or newer) that a user may run, or None."""
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"
    for folder in (f"{sys.base_prefix}/bin", "/usr/bin", "/usr/local/bin"):
        if may_run(uid, f"{folder}/python3", code):
            return folder
    return None


def may_run(uid: int | None, python: Path | str, code: str = "") -> bool:
    """Tell whether a user may run a Python, and whether it runs the code without error.

    A shell starts it, because setpriv itself may still have the capabilities of root.
    """
    command = ["sh", "-c", 'exec "$0" -c "$1"', python, code]
    return run_as(uid, command, Path("/"), {}).returncode == 0


def lay_out(archive: Path) -> Path:
    """Unpack the zip as Gradescope does, in a new temporary folder; return its path.

    Execute bits are dropped, because an upload can drop them.
    """
    base = Path(tempfile.mkdtemp(prefix="rehearse-"))
    base.chmod(0o755)
    home = base / "autograder"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home / "source")
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))
    return home


def hand_over(home, uid):
    """Make the user the owner of all files, unless `uid` is None."""
    if uid is not None:
        for path in [home, *home.rglob("*")]:
            os.chown(path, uid, uid, follow_symlinks=False)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files (name -> text) into a new folder."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def submissions(home) -> dict[str, dict[str, str]]:
    """Return name of an upload -> (file name -> text), for the course's cutoff rule."""
    cutoff = load_rubric(ROOT / "autograder" / "rubric.yaml").cutoff
    correct = reference_text(ROOT, cutoff)
    return {
        "correct": {"search.py": correct},
        "wrong": {"search.py": load_variant(ROOT / WRONG, cutoff).source},
        "hanging": {"search.py": "while True: pass\n"},
        "forging": {"search.py": FORGERY.replace("@HOME@", str(home))},
        "empty": {},
    }


def results_by_grade() -> dict[str, str]:
    """Return an upload's name -> the results.json of `make grade`."""
    results = {}
    for name, files in submissions("/autograder").items():
        with tempfile.TemporaryDirectory() as folder:
            submission = Path(folder) / "submission"
            write_files(submission, files)
            command = [sys.executable, "-B", "-m", "autograder.grade", "--brief"]
            command += [str(submission), "--out", folder]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            results[name] = (Path(folder) / RESULTS).read_text()
    return results


if __name__ == "__main__":
    run("rehearse", main)
