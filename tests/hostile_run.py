"""The grader of the hostile submissions: a process of its own, in Gradescope's layout.

`python hostile_run.py HOME OPTIONS` grades what lies in HOME/queue/, one submission
after the other in one sandbox, an honest one after each, and prints a line of JSON
about each. In the files of a submission @HOME@ and @GRADER@ stand for the layout's folder
and this process, so that attackers know what they need; a line `# @HONEST@` stands for
the reference, `# @MEGABYTE@` for a comment of that size.
"""

import dataclasses
import json
import os
import shutil
import sys
import time
import traceback
from pathlib import Path

from autograder.grading import grade, refuse
from autograder.kit import prepare
from autograder.results import results_of, write_results, write_unfinished
from autograder.sandbox import NotGradable, Sandbox, SandboxError, stage
from autograder.utilities import pin_to_one_cpu

LEFTOVER = "hostile-"  # what a hostile file leaves in a shared folder begins so
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
PATIENT = {"total_seconds": 60.0, "search_wall_seconds": 1.5, "search_cpu_seconds": 0.15}


def main(home, options):
    """Grade everything and report."""
    home = Path(home)
    options = json.loads(options)
    pin_to_one_cpu(options["turn"])
    kit = prepare(home / "source")
    limits = dataclasses.replace(kit.rubric.limits, most_timeouts=1, **PATIENT)
    kit = dataclasses.replace(kit, rubric=dataclasses.replace(kit.rubric, limits=limits))
    few = dataclasses.replace(kit, tasks=kit.tasks[: len(kit.tasks) // 3])
    honest = (home / "source" / "solution" / "search.py").read_bytes()
    sandbox = Sandbox(limits, options["off"]).__enter__()
    held, missing = sandbox.layers
    tell({"held": held, "missing": missing})
    for name in options["names"]:
        report = one(kit, sandbox, home, name, honest)
        report["processes"] = processes_left(home, options["alone"])
        report["honest"] = points_of(few, honest, sandbox)
        tell({"name": name, **report})
        if report["fault"] or report["honest"] != 100:
            sandbox.__exit__(None, None, None)
            sandbox = Sandbox(limits, options["off"]).__enter__()
    sandbox.__exit__(None, None, None)


def points_of(kit, source, sandbox):
    """Grade a source and return its points, 0 where the sandbox cannot any more."""
    try:
        return grade(kit, source, sandbox).cents / 100
    except (SandboxError, OSError):
        return 0.0


def tell(report):
    """Print a line of JSON."""
    print(json.dumps(report), flush=True)


def one(kit, sandbox, home, name, honest):
    """Grade one submission as grade_into does, and see what it leaves."""
    submit(home, name, honest)
    results = home / "results" / "results.json"
    before, begun, fault = snapshot(home), time.monotonic(), ""
    try:
        write_unfinished(results)
        write_results(results, results_of(graded(kit, sandbox, home / "submission")))
    except Exception:
        fault = traceback.format_exc()
    seconds = round(time.monotonic() - begun, 3)
    files = sorted({path for path, _ in before.items() ^ snapshot(home).items()})
    mend(home, set(files) - set(before))
    return {
        "seconds": seconds,
        "results": results.read_text() if results.exists() else "{}",
        "fault": fault,
        "files": files,
    }


def mend(home, made):
    """Undo what a submission did to folders that the next one needs."""
    results = home / "results"
    results.mkdir(exist_ok=True)
    if results.stat().st_mode & 0o300 != 0o300:
        results.chmod(0o700)
    for path in sorted(made, reverse=True):
        if os.path.basename(path).startswith(LEFTOVER):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def graded(kit, sandbox, path):
    """Grade a submission in the sandbox that is open already."""
    try:
        source = stage(path).source
    except NotGradable as reason:
        return refuse(kit, str(reason))
    return grade(kit, source, sandbox)


def submit(home, name, honest):
    """Put a submission into HOME/submission."""
    folder = home / "submission"
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    mode = folder.stat().st_mode
    shutil.copytree(home / "queue" / name, folder, symlinks=True, dirs_exist_ok=True)
    folder.chmod(mode)
    signs = {
        b"# @HONEST@": honest,
        b"# @MEGABYTE@": b"#" * 2**20,
        b"@HOME@": str(home).encode(),
        b"@GRADER@": str(os.getpid()).encode(),
    }
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes()
            for sign, meaning in signs.items():
                text = text.replace(sign, meaning)
            path.write_bytes(text)


def snapshot(home):
    """Return path -> (size, time of change, mode) of all that should stay as it is."""
    states, results = {}, str(home / "results" / "results.json")
    for folder, folders, files in os.walk(home):
        for path in [os.path.join(folder, name) for name in folders + files]:
            if path != results:
                state = os.lstat(path)
                size = state.st_size if not os.path.isdir(path) else 0
                states[path] = size, state.st_mtime_ns * (size > 0), state.st_mode
    for shared in filter(os.path.isdir, SHARED):
        for name in os.listdir(shared):
            if name.startswith(LEFTOVER):
                path = os.path.join(shared, name)
                states[path] = 0, os.lstat(path).st_mtime_ns, 0
    return states


def processes_left(home, alone):
    """Return the command lines of what a submission left running.

    A process is one of these if it descends from this one, or was forked from the
    zygote, which its command line shows, or runs under this user's number where this
    grader is `alone` under it.
    """
    parents, commands, mine = {}, {}, set()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            status, command = (
                Path(f"/proc/{pid}/{file}").read_text(errors="replace")
                for file in ("status", "cmdline")
            )
        except OSError:
            continue
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        parents[pid], commands[pid] = int(fields["PPid"]), command.replace("\0", " ")
        if alone and int(fields["Uid"].split()[0]) == os.getuid():
            mine.add(pid)
    zygotes = {pid for pid, command in commands.items()
               if parents[pid] == os.getpid() and "zygote.py" in command}  # fmt: skip
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    forked = {pid for pid, c in commands.items() if "zygote.py" in c and str(home) in c}
    left = (family | forked | mine) - zygotes - {os.getpid()}
    return [f"{pid} {commands[pid]}" for pid in sorted(left)]


if __name__ == "__main__":
    main(*sys.argv[1:])
