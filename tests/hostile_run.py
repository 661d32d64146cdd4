"""The grader of the hostile submissions: a process of its own, in Gradescope's layout.

`python hostile_run.py HOME OPTIONS` grades what lies in HOME/queue/, one submission
after the other in one sandbox, an honest one after each, and prints a line of JSON
about each. In the files of a submission @HOME@ and @GRADER@ stand for the layout's folder
and this process, so that attackers know what they need; a line `# @HONEST@` stands for
the reference, `# @MEGABYTE@` for a comment of that size.
"""

import contextlib
import dataclasses
import glob
import json
import os
import re
import shutil
import sys
import traceback
from pathlib import Path

from autograder.grading import grade, refuse
from autograder.kit import prepare
from autograder.processes import pin_to_one_cpu
from autograder.results import in_bounds, results_of, write_unfinished
from autograder.sandbox import NotGradable, Sandbox, stage

LEFTOVER = "hostile-"  # what a hostile file leaves in a shared folder begins so
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
PATIENT = {
    **{"total_seconds": 24.0, "search_wall_seconds": 1.0, "max_timeouts": 1},
    **{"search_cpu_seconds": 0.1, "load_cpu_seconds": 0.5},
}


def main(home, options):
    """Grade everything and report."""
    home, options = Path(home), json.loads(options)
    pin_to_one_cpu(options["turn"])
    kit = prepare(home / "source")
    rubric = kit.rubric
    rubric = dataclasses.replace(rubric, limits=rubric.limits._replace(**PATIENT))
    kit = dataclasses.replace(kit, rubric=rubric)
    few = dataclasses.replace(kit, tasks=kit.tasks[: len(kit.tasks) // 3])
    honest = (home / "source" / "solution" / "search.py").read_bytes()
    others = set(glob.glob("/proc/[0-9]*"))
    with Sandbox(rubric.limits) as sandbox:
        for name in options["names"]:
            submit(home, name, honest)
            report = one(kit, sandbox, home)
            report["processes"] = processes_left(home, options["alone"], others)
            with contextlib.suppress(Exception):
                report["honest"] = grade(few, honest, sandbox).cents / 100
            print(json.dumps({"name": name, **report}), flush=True)


def one(kit, sandbox, home):
    """Grade what is submitted as grade_into does, and see what it leaves."""
    results = home / "results" / "results.json"
    before, fault = snapshot(home), ""
    try:
        write_unfinished(results)
        try:
            grading = grade(kit, stage(home / "submission").source, sandbox)
        except NotGradable as reason:
            grading = refuse(kit, str(reason))
        results.write_text(in_bounds(results_of(grading)))
    except Exception:
        fault = traceback.format_exc()
    files = sorted({path for path, _ in before.items() ^ snapshot(home).items()})
    text = results.read_text() if results.exists() else "{}"
    return {"results": text, "fault": fault, "files": files, "honest": 0.0}


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
    """Return path -> (mode, size, time of change) of all that should stay as it is."""
    states, folders = {}, [home]
    while folders:
        for entry in os.scandir(folders.pop()):
            state = entry.stat(follow_symlinks=False)
            states[entry.path] = state.st_mode, state.st_size, state.st_mtime_ns
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
                states[entry.path] = state.st_mode
    states.pop(str(home / "results" / "results.json"), None)
    for path in [path for shared in SHARED for path in glob.glob(f"{shared}/{LEFTOVER}*")]:
        states[path] = os.lstat(path).st_mtime_ns
    return states


def processes_left(home, alone, others):
    """Return the command lines of what a submission left running, of none of the `others`.

    A process is one of these if it descends from this one, or was forked from the
    zygote, which its command line shows, or runs under this user's number where this
    grader is `alone` under it.
    """
    parents, commands, left = {}, {}, set()
    for folder in set(glob.glob("/proc/[0-9]*")) - others:
        with contextlib.suppress(OSError):
            pid = int(os.path.basename(folder))
            command = Path(folder, "cmdline").read_text(errors="replace").replace("\0", " ")
            status = Path(folder, "status").read_text(errors="replace")
            numbers = re.search(r"^PPid:\t(\d+)[\s\S]*^Uid:\t(\d+)", status, re.M)
            parents[pid], user = map(int, numbers.groups())
            commands[pid] = command
            mine = alone and user == os.getuid()
            if mine or ("zygote.py" in command and str(home) in command):
                left.add(pid)
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    zygotes = {p for p in parents if parents[p] == os.getpid() and "zygote" in commands[p]}
    left = (left | family) - zygotes - {os.getpid()}
    return [f"{pid} {commands[pid]}" for pid in sorted(left)]


if __name__ == "__main__":
    main(*sys.argv[1:])
