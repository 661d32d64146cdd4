"""Rehearse Gradescope with dist/autograder.zip: its folders, its users, a few uploads."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder.command import Refused, run
from autograder.kit import ROOT

USER = 12345  # an ordinary user; no account has the number
MEMORY = 768 * 2**20  # bytes that Gradescope's default container has
MAX_SECONDS = 600  # Gradescope's own limit, for one submission
SECRET, FAULT = "rehearsed-secret", "FAULT:"
METADATA = {"users": [{"id": 3, "name": SECRET, "email": f"{SECRET}@example.edu"}]}
# In all functions: then no time is left for hints, which would depend on the machine.
LOOP = "\n\ndef minimax(*_):\n    while True: pass\n\nalphabeta = best_move = minimax\n"
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


def main(archive: Path = ROOT / "dist" / "autograder.zip") -> int:
    """Rehearse as every user that can be had; return 1 where anything is wrong."""
    begun = time.monotonic()
    check(archive)
    users = {"root": None, "an ordinary user": USER} if os.geteuid() == 0 else {"you": None}
    with ThreadPoolExecutor(8) as pool:
        submitted = submissions("/autograder").items()
        made = {name: pool.submit(made_by_grade, files) for name, files in submitted}
        played = [pool.submit(rehearse, archive, uid, made) for uid in users.values()]
    for user, future in zip(users, played):
        print(f"as {user}: " + "\n  ".join(future.result()))
    failed = any(FAULT in line for future in played for line in future.result())
    outcome = "FAILED" if failed else "all as it should be"
    print(f"{time.monotonic() - begun:.0f} s, {outcome}")
    return int(failed)


def check(archive: Path) -> None:
    """Raise Refused where there is no whole zip at `archive`."""
    name = f"{archive.parent.name}/{archive.name}"
    if not archive.is_file():
        raise Refused(f"there is no {name}: run make dist")
    broken = zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError
    with contextlib.suppress(*broken), zipfile.ZipFile(archive) as packed:
        if packed.testzip() is None and "run_autograder" in packed.namelist():
            return
    raise Refused(f"{name} is damaged: run make dist again")


def rehearse(archive: Path, uid: int | None, made: dict) -> list[str]:
    """Set up and grade as one user; return a line for each step, with FAULT where one is.

    uid: whose processes they are, None for the present user. made: a submission's name ->
    the Future of what `make grade` writes about it.
    """
    python = python_for(uid)
    if python is None:
        return ["no Python here that this user may run: not rehearsed"]
    home = lay_out(archive)
    passed = ("PIP_", "SSL_", "HTTP_", "HTTPS_", "http_", "https_")
    env = {key: value for key, value in os.environ.items() if key.startswith(passed)}
    env |= {"PATH": f"{python}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
    env |= {"HOME": str(home), "LC_ALL": "C.UTF-8", "AUTOGRADER_HOME": str(home)}
    try:
        hand_over(home, uid)
        begun = time.monotonic()
        done = run_as(uid, ["bash", home / "source" / "setup.sh"], cwd="/", env=env)
        lines = [f"setup.sh: {time.monotonic() - begun:.1f} s"]
        lines += done.stdout.strip().splitlines()[-3:]
        if done.returncode:
            return [*lines, f"{FAULT} setup.sh ended with status {done.returncode}"]
        for name, files in submissions(home).items():
            begun = time.monotonic()
            faults = faults_of(env, home, uid, files, made[name])
            said = f"{FAULT} {'; '.join(faults)}" if faults else "as make grade"
            lines.append(f"{name}: {time.monotonic() - begun:.1f} s, {said}")
        return lines
    finally:
        shutil.rmtree(home, ignore_errors=True)


def faults_of(env, home, uid, files, made) -> list[str]:
    """Grade one submission as Gradescope does; return what is wrong."""
    shutil.rmtree(home / "submission")
    write(home / "submission", files)
    shutil.copy(home / "source" / "run_autograder", home)
    hand_over(home, uid)
    try:
        command = [home / "run_autograder"]
        done = run_as(uid, command, cwd=home, env=env, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return [f"not graded within {MAX_SECONDS} s"]
    results = home / "results" / "results.json"
    text = results.read_text() if results.exists() else ""
    faults = []
    if done.returncode:
        faults.append(f"run_autograder: status {done.returncode}: {done.stdout[-200:]}")
    if SECRET in text or "forged" in text or SECRET in done.stdout:
        faults.append("the metadata or a forgery shows in the results")
    if text != made.result():
        faults.append("not what make grade writes (has the kit changed since make dist?)")
    return faults


def run_as(uid: int | None, command: list, **options) -> subprocess.CompletedProcess:
    """Run a command with a container's memory, as a user; None is the present one.

    A shell bounds itself and becomes the command: nothing of Python runs between fork
    and exec, where a lock of another thread could hang.
    """
    user = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    bounded = ["sh", "-c", f'ulimit -v {MEMORY // 1024} && exec "$@"', "sh"]
    words = [*bounded, *(user if uid is not None else []), *command]
    options |= {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    return subprocess.run(words, stderr=subprocess.STDOUT, text=True, **options)


def python_for(uid: int | None) -> str | None:
    """Return the folder of a python3 from 3.10 on that a user may run, or None."""
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"
    for folder in (os.path.dirname(base), "/usr/bin", "/usr/local/bin"):
        python = os.path.join(folder, "python3")
        if run_as(uid, [python, "-c", code], cwd="/", env={}).returncode == 0:
            return folder
    return None


def lay_out(archive: Path) -> Path:
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


def hand_over(home, uid):
    """Give everything to the ordinary user, if this is a rehearsal as one."""
    if uid is not None:
        for path in [home, *home.rglob("*")]:
            os.chown(path, uid, uid, follow_symlinks=False)


def write(folder: Path, files: dict[str, str]) -> Path:
    """Make a folder of these files, name -> text; return the folder."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def submissions(home) -> dict[str, dict[str, str]]:
    """Return name -> (file name -> text) of what is handed in."""
    right = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
    return {
        "right": {"search.py": right},
        "hanging": {"search.py": right + LOOP},
        "forging": {"search.py": FORGERY.replace("@HOME@", str(home))},
        "empty": {},
    }


def made_by_grade(files: dict[str, str]) -> str:
    """Return the results.json that `make grade` writes about these files."""
    with tempfile.TemporaryDirectory() as folder:
        submission, out = write(Path(folder) / "submission", files), Path(folder) / "out"
        command = [sys.executable, "-B", "-m", "autograder.grade", submission, "--out", out]
        subprocess.run([*command, "--brief"], cwd=ROOT, capture_output=True, check=True)
        return (out / "results.json").read_text()


if __name__ == "__main__":
    run("rehearse", main)
