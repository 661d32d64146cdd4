"""Score all programs of solution/ and tests/, to compare two versions of the kit.

`python -m bench.scores FILE` grades the programs of solution/, tests/hostile and
tests/blind.yaml without hints, and writes the points of each row as JSON.
`python -m bench.scores OLD NEW` compares two such files, row by row. New public trees
change only the rows of public trees.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import yaml

from autograder.grading import grade
from autograder.ground.files import replace_file
from autograder.ground.processes import in_parallel
from autograder.kit import ROOT, Kit, prepare
from autograder.scoring.features import PUBLIC
from autograder.scoring.rubric import NONE
from autograder.single import grade_path

TOTAL = "score"
FOLDERS = ("solution/correct", "solution/mistakes", "solution/lazy", "tests/hostile")


def programs() -> dict[str, Path | str]:
    """Return name -> a path, or the text of a program of tests/blind.yaml."""
    found: dict[str, Path | str] = {"solution": ROOT / "solution"}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).iterdir()):
            found[f"{folder}/{path.name}"] = path
    blind = (ROOT / "tests" / "blind.yaml").read_text(encoding="utf-8")
    reference = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
    for program in yaml.safe_load(blind):
        found[f"blind/{program['name']}"] = completed(program["source"], reference)
    return found


def completed(source: str, reference: str) -> str:
    """Return a program with the functions of the reference that it lacks."""
    for part in ast.parse(reference).body:
        if isinstance(part, ast.FunctionDef) and f"def {part.name}(" not in source:
            source += f"\n\n{ast.get_source_segment(reference, part)}\n"
    return source


def score(kit: Kit, program: Path | str) -> dict[str, int]:
    """Return row -> cents of a program, and TOTAL -> its score."""
    if isinstance(program, Path):
        grading = grade_path(kit, program)
    else:
        grading = grade(kit, program.encode())
    rows = {row.name: row.cents for row in grading.rows}
    return {TOTAL: grading.score.cents, **rows}


def measure(file: Path) -> int:
    """Write the scores of all programs to a file."""
    kit = prepare()
    kit.rubric = kit.rubric._replace(hints=NONE)  # hints earn no points
    found = programs()
    results = in_parallel(lambda name: score(kit, found[name]), found)
    replace_file(file, json.dumps(dict(zip(found, results)), indent=1))
    print(f"{len(found)} programs are scored")
    return 0


def rows_that_differ(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """Return the rows with other points, except the rows of public trees."""
    different = []
    for row in sorted(before.keys() | after.keys()):
        if row != TOTAL and not row.endswith(PUBLIC) and before.get(row) != after.get(row):
            different.append(row)
    return different


def compare(old: Path, new: Path) -> int:
    """Print the programs with different scores; return 1 if there are any."""
    before = json.loads(old.read_text())
    after = json.loads(new.read_text())
    both = before.keys() & after.keys()
    different = []
    for name in sorted(both):
        rows = rows_that_differ(before[name], after[name])
        if rows:
            different.append(name)
            print(f"{name}: {', '.join(rows)}")
    print(f"{len(both) - len(different)} of {len(both)} programs have equal scores")
    return 1 if different else 0


if __name__ == "__main__":
    files = [Path(argument) for argument in sys.argv[1:]]
    sys.exit(compare(*files) if len(files) == 2 else measure(*files))
