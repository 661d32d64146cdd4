"""Break autograder.zip file by file: `python -m bench.broken [NAME ...]`, some 20 minutes.

Each file is deleted, and each .py file also gets a syntax error. The zip's record of files
is assumed to match. For each change, the command prints the first step that detects it:

    import  a module cannot be imported
    load    trees, rubric or sentences cannot be read
    grade   the results of a correct or of a wrong upload differ, or have an internal error
    setup   setup.sh fails, or its preparation of the gradings
    hash    the kit's hash, which setup.sh prints

The uploads are graded in process, without the zip's virtual environment. The command
prints the changes that no step detects, and exits with status 1 if grading needs the file.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.command import run
from autograder.kit import content_hash
from autograder.mistakes.variants import load_variants
from autograder.progress import Progress
from autograder.workbench.check import WRONG
from autograder.workbench.package import SCRIPTS, autograder_files, pack
from autograder.workbench.rehearse import (
    IMPORT_ALL,
    build,
    environment,
    lay_out,
    modules_below,
    python_for,
)

# Only staff use these files, locally; setup.sh and run_autograder never need them.
NOT_REACHED = ("autograder/showing/assets/",)
PROGRAMS = ("solution/correct/", "solution/mistakes/")
SLIP = "def (\n"
BUILT = (*SCRIPTS, "autograder/requirements.txt")
# Grades a correct and a wrong upload with a library of only the wrong upload, because all
# known mistakes would take ten seconds.
GRADE = f"""
import sys
from pathlib import Path
from autograder.kit import load_kit
try:
    kit = load_kit()
except Exception as error:
    sys.exit(f"load: {{error}}")
from autograder.grading import grade
from autograder.mistakes.library import Library
from autograder.mistakes.variants import load_variant
from autograder.results import results_text, unfinished_text
wrong = load_variant(Path("{WRONG.as_posix()}"), kit.rubric.cutoff)
vars(kit)["library"] = Library((wrong,), kit.tasks)
unfinished_text(kit)
for source in Path("solution/search.py").read_bytes(), wrong.source.encode():
    grading = grade(kit, source)
    print(results_text(grading, kit))
    if grading.faults:
        sys.exit("grade: " + grading.faults[0].splitlines()[-1])
"""
PREPARE = """
from autograder.grade import main
raise SystemExit(main(["--preflight", "solution"]))
"""


def main() -> int:
    """Break each file, or the given files; print which steps detect the changes."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "autograder.zip"
        archive.write_bytes(pack(autograder_files()))
        home = lay_out(archive)
    try:
        return report(home, sys.argv[1:] or sorted(autograder_files()))
    finally:
        shutil.rmtree(home.parent)


def report(home: Path, names: Iterable[str]) -> int:
    """Print how often each step detects a change; return 1 if a needed file is missed."""
    source = home / "source"
    expected = run_python(source, GRADE).stdout
    changes = list(changes_of(names))
    noticed = Counter()
    missed = []
    with Progress(len(changes), word="changes") as progress:
        for name, text in changes:
            path = source / name
            before = path.read_bytes()
            path.unlink()
            if text is not None:
                path.write_text(text)
            step = first_step(home, name, expected)
            path.unlink(missing_ok=True)
            path.write_bytes(before)
            kind = "deleted" if text is None else "syntax error"
            noticed[kind, step] += 1
            if step in ("hash", "nothing"):
                print(f"{kind}: {name}: {step}")
            if step == "nothing" and not name.startswith(NOT_REACHED):
                missed.append(name)
            progress.step()
    for (kind, step), count in sorted(noticed.items()):
        print(f"{kind}: {step} detects {count}")
    print(f"{len(changes)} changes; needed and undetected: {', '.join(missed) or 'none'}")
    return 1 if missed else 0


def changes_of(names: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield (name, new text) of each change; None deletes the file."""
    for name in names:
        yield name, None
        if name.endswith(".py"):
            yield name, SLIP


def first_step(home: Path, name: str, expected: str) -> str:
    """Return the first step that detects the current change of a file."""
    source = home / "source"
    if name in BUILT:
        steps = build(home, environment(python_for(None)))
        return "setup" if "FAULT" in steps[-1] else "nothing"
    if name.startswith(PROGRAMS):
        if not all(loads(source / programs) for programs in PROGRAMS):
            return "setup"
    elif name.endswith(".py") and run_python(source, IMPORT_ALL).returncode:
        return "import"
    else:
        graded = run_python(source, GRADE)
        if graded.stderr.startswith("load: "):
            return "load"
        if graded.returncode or graded.stdout != expected:
            return "grade"
        if name.endswith(".py") and run_python(source, PREPARE).returncode:
            return "setup"
    return "nothing" if content_hash(source) == content_hash() else "hash"


def loads(folder: Path) -> bool:
    """Return whether setup.sh can load the programs of a folder."""
    try:
        load_variants(folder)
    except (OSError, ValueError, SyntaxError):
        return False
    return True


def run_python(source: Path, script: str) -> subprocess.CompletedProcess:
    """Run a script in the folder of an unpacked zip."""
    command = [sys.executable, "-B", "-c", script]
    if script == IMPORT_ALL:
        command += modules_below(source)
    return subprocess.run(command, cwd=source, capture_output=True, text=True)


if __name__ == "__main__":
    run("broken", main)
