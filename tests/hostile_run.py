"""Grade the hostile submissions in a separate process, in Gradescope's layout.

`python hostile_run.py HOME OPTIONS` grades the submissions in HOME/queue/ in one sandbox,
and an honest submission after each. It prints one line of JSON for each submission.

The files of a submission may contain words that are replaced, so that attackers know as
much as possible. @HOME@ is the folder of the layout, @GRADER@ the ID of this process, and
@GRADING@ is "first" or "second". The line `# @HONEST@` becomes the reference, and
`# @MEGABYTE@` becomes a comment of that size.
"""

import contextlib
import glob
import itertools
import json
import os
import shutil
import sys
import traceback
from pathlib import Path

from autograder.explaining import explain
from autograder.grading import grade, refuse
from autograder.ground.files import replace_file
from autograder.ground.processes import pin_to_one_cpu
from autograder.ground.submission import NotGradable, stage
from autograder.kit import Kit, cached_kit
from autograder.sandbox import Sandbox
from autograder.showing.results import as_json, results_of, unfinished_text
from autograder.smalltrees import enumeration

SHORT = {  # limits
    "max_timeouts": 1,
    "search_cpu_seconds": 0.05,
    "search_wall_seconds": 1,
    "load_cpu_seconds": 0.3,
}
GRADED_TWICE = "tells_the_next"  # must not know of the first grading in the second
GRADINGS = (b"first", b"second")
LEFTOVER = "hostile-"  # prefix of files that a submission writes in shared folders
PROCESSES = "/proc/[0-9]*"
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")
SMALL_TREES = list(itertools.islice(enumeration.small_trees(), 100))
enumeration.small_trees = lambda: SMALL_TREES  # all 11,412 would take seconds
explain.SEARCH_CPU_SECONDS = SHORT["search_cpu_seconds"]


def load(root):
    """Return the kit at a root; store what its gradings need, without random trees."""
    kit = cached_kit(root)
    _ = kit.library
    for function in kit.rubric.assigned:
        list(kit.ladder.tasks(function))
    return kit


def main(home, options):
    """Grade all submissions in the queue, and print a line about each."""
    home = Path(home)
    options = json.loads(options)
    pin_to_one_cpu(options["cpu"])
    kit = load(home / "source")
    limits = kit.rubric.limits._replace(**SHORT)
    kit.rubric = kit.rubric._replace(limits=limits)
    public = tuple(task for task in kit.tasks if not task.is_hidden)
    quick_kit = Kit(kit.root, kit.rubric, kit.public, kit.hidden, public)
    honest = (home / "source" / "solution" / "search.py").read_bytes()
    with Sandbox(limits) as sandbox:
        expected = set(glob.glob(PROCESSES))  # with this process and the zygote
        for name in options["names"]:
            for grading in GRADINGS if name.startswith(GRADED_TWICE) else GRADINGS[:1]:
                submit(home, name, honest, grading)
                report = grade_submission(kit, sandbox, home)
            report["name"] = name
            report["processes"] = processes_left(home, options["alone"], expected)
            with contextlib.suppress(Exception):
                report["honest"] = grade(quick_kit, honest, sandbox).score.cents / 100
            print(json.dumps(report), flush=True)


def grade_submission(kit, sandbox, home):
    """Grade the submission as grade_into does. Return a report with the changed files."""
    results = home / "results" / "results.json"
    before = snapshot(home)
    fault = ""
    try:
        replace_file(results, unfinished_text())
        try:
            grading = grade(kit, stage(home / "submission").source, sandbox)
        except NotGradable as reason:
            grading = refuse(kit, str(reason))
        results.write_text(as_json(results_of(grading)))
    except Exception:
        fault = traceback.format_exc()
    changes = before.items() ^ snapshot(home).items()
    return {
        "results": results.read_text() if results.exists() else "{}",
        "fault": fault,
        "files": sorted({path for path, _ in changes}),
        "honest": 0.0,
    }


def submit(home, name, honest, grading):
    """Put a submission into HOME/submission, for its first or second grading."""
    folder = home / "submission"
    for old in folder.iterdir():
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()
    mode = folder.stat().st_mode
    shutil.copytree(home / "queue" / name, folder, symlinks=True, dirs_exist_ok=True)
    folder.chmod(mode)
    signs = {
        b"# @HONEST@": honest,
        b"# @MEGABYTE@": b"#" * 2**20,
        b"@HOME@": str(home).encode(),
        b"@GRADER@": str(os.getpid()).encode(),
        b"@GRADING@": grading,
    }
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes()
            for sign, meaning in signs.items():
                text = text.replace(sign, meaning)
            path.write_bytes(text)


def snapshot(home):
    """Return path -> (mode, size, time of change) of Gradescope's and shared folders."""
    states = {}
    folders = [home]
    while folders:
        for entry in os.scandir(folders.pop()):
            state = entry.stat(follow_symlinks=False)
            if entry.name == "queue":
                continue
            states[entry.path] = state.st_mode, state.st_size, state.st_mtime_ns
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
                states[entry.path] = state.st_mode
    states.pop(str(home / "results" / "results.json"), None)
    for shared in SHARED:
        for path in glob.glob(f"{shared}/{LEFTOVER}*"):
            states[path] = os.lstat(path).st_mtime_ns
    return states


def processes_left(home, alone, expected):
    """Return the command lines of processes that a submission left running.

    expected: processes that do not count.
    alone: whether this user runs nothing but the grader. If so, all its processes count.
    If not, only processes that were forked from the zygote count.
    """
    left = []
    for folder in set(glob.glob(PROCESSES)) - expected:
        with contextlib.suppress(OSError):  # the process has ended
            command = Path(folder, "cmdline").read_text(errors="replace").replace("\0", " ")
            status = Path(folder, "status").read_text(errors="replace")
            is_forked = "zygote.py" in command and str(home) in command
            is_of_user = alone and f"\nUid:\t{os.getuid()}\t" in status
            if is_forked or is_of_user:
                left.append(f"{folder} {command}")
    return sorted(left)


if __name__ == "__main__":
    main(*sys.argv[1:])
