"""Prove that the kit is ready for a course: `make check`.

The trees must load and satisfy the rules, and the published figures must be correct. The
stubs must score 0. The reference and every correct variant must score 100 %. Every known
mistake must lose points on at least five hidden trees. If a short proof fails, the long
proofs do not start. The exit status is 1 if a proof fails. The output then explains each
necessary fix.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from autograder.explaining.variants import load_variant, load_variants
from autograder.grading import grade
from autograder.ground.command import Progress, run, say
from autograder.ground.files import load, store
from autograder.ground.processes import (
    WorkerFailure,
    cores,
    pin_to_one_cpu,
    run_in_pool,
)
from autograder.kit import ROOT, cached_kit, load_kit, load_reference
from autograder.kit.contents import proof_hash
from autograder.kit.loading import CACHE
from autograder.sandbox import Sandbox
from autograder.scoring.concepts import AT_THE_LIMITS
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import EQUALITY
from autograder.showing.results import results_text
from autograder.workbench.killmatrix import (
    ENOUGH,
    FULL,
    Matrix,
    smallest_killing_tree,
)
from autograder.workbench.lint import (
    beyond_limits,
    decimal_commas,
    file_problems,
    lacking,
    lint,
    mismatches,
    text_problems,
)
from autograder.workbench.treeset import fit_rubric, published_warning

PROOF = Path(CACHE) / "proof"  # exists if everything was proved
MATRIX = Path("build") / "check" / "kill-matrix.csv"
WRONG = Path("solution") / "mistakes" / "no_cutoff_at_min.py"  # gets every hint
INDENT = " " * 8
# Files of solution/ with mistakes that students often make.
TYPICAL = (
    "strict_cutoff",
    "no_cutoff",
    "no_cutoff_at_min",
    "one_window_for_all_nodes",
    "fresh_window_for_children",
    "given_window_ignored",
    "depth_never_tested",
    "infinity_is_9999",
    "alphabeta_calls_minimax",
    "move_is_last_of_equals",
    "minimax_keeps_last_score",
)
OTHER_TREES = "the hidden trees are for another rubric; generate others: make trees FORCE=1"


def main():
    """Run every proof; return 0 if all succeed, else 1."""
    key = proof_hash(ROOT)
    begun = time.monotonic()
    failed = []
    check_tree_files(ROOT / "trees", failed)
    if not failed:
        check_kit(failed)
    seconds = f"{time.monotonic() - begun:.0f} s"
    if not failed:
        print(f"all proved in {seconds}")
        store(ROOT / PROOF, key, seconds)
        return 0
    print(f"FAILED in {seconds}; the lines above name the necessary fixes for")
    for name in failed:
        print(f"{INDENT}{name}")
    return 1


def is_proved() -> bool:
    """Tell whether every proof succeeds; it runs only if a file has changed since."""
    if load(ROOT / PROOF, proof_hash(ROOT)):
        print("proved by make check, and no file has changed since")
        return True
    return main() == 0


def check_tree_files(trees, failed):
    """Report all tree files that cannot be parsed, and warn of decimal commas."""
    present = [path for path in (trees / "public", trees / "hidden") if path.is_dir()]
    problems = [line for folder in present for line in file_problems(folder)]
    if problems:
        record(failed, "the tree files can be parsed", problems)
        return
    for folder in present:
        for line in decimal_commas(folder):
            say(f"warning {line}")


def check_kit(failed):
    """Run all proofs of the kit, the long proofs only if the short proofs succeed."""
    kit = load_kit()
    has_other_trees = not fit_rubric(kit.root, kit.rubric)
    if has_other_trees:
        say(f"note    {OTHER_TREES}")
    warning = published_warning(kit.hidden, kit.root)
    if warning:
        say(f"note    {warning}")
    check_files(kit, failed)
    if not failed:
        check_scores(kit, failed)
        check_hints(kit, failed)
        check_mistakes(kit, failed)
    if failed and has_other_trees:
        failed.append(OTHER_TREES)


def record(failed: list[str], name: str, problems: Iterable[str], remark: str = "") -> None:
    """Print a proof's outcome, and each problem on a separate line.

    failed: the names of the failed proofs. The name of this proof is added if it fails.
    """
    found = list(problems)
    outcome = "ok"
    if found:
        failed.append(name)
        outcome = "FAILED"
    line = f"{outcome:<7} {name}"
    if remark:
        line += f": {remark}"
    say(line)
    for problem in found:
        say(f"{INDENT}{problem}")


def check_files(kit, failed):
    """Run the short proofs, which only read files. They take seconds."""
    record(failed, "the sentences of texts.yaml can be filled in", text_problems())
    count = f"{len(kit.public)} public and {len(kit.hidden)} hidden trees"
    searches = f"{count}, {len(kit.tasks)} searches"
    record(failed, "the trees load, and the reference runs", [], searches)
    problems = list(lint(kit.public, kit.hidden))
    missing = FULL - len(kit.hidden)
    if missing > 0:
        few = f"{len(kit.hidden)} hidden trees are too few to catch every known mistake"
        problems.append(f"{few}; add {missing}, or run make trees")
    for tree in (*kit.public, *kit.hidden):
        problems += beyond_limits(tree, [task for task in kit.tasks if task.tree is tree])
    record(failed, "the sets of trees satisfy the rules", problems)
    reference = load_reference(kit.root, EQUALITY)
    problems = mismatches((*kit.public, *kit.hidden), reference)
    record(failed, "published figures are reproduced", problems)
    tasks = [task for task in kit.tasks if task.tree in kit.hidden]
    record(failed, "the hidden trees show all required features", lacking(tasks))
    warn_of_rows_with_few_trees(kit)


def warn_of_rows_with_few_trees(kit):
    """Name the rows and the kinds of limits that have no tree or a single tree.

    If a row has no tree, the other rows of its function share its points.
    """
    names_of = {}  # a row or a kind of limit -> the names of its trees
    for function, concepts in kit.rubric.rows.items():
        for concept in concepts:
            names_of[f"{function}: {concept}"] = set()
    for row in kit.rows:
        for task, part in zip(row.tasks, row.parts):
            names_of[row.name].add(task.tree.name)
            if row.concept == AT_THE_LIMITS:
                kind = f"{row.name}, {part}"
                names_of.setdefault(kind, set()).add(task.tree.name)
    few = [kind for kind, names in names_of.items() if len(names) < 2]
    if few:
        rows = "; ".join(few)
        say(f"{INDENT}fewer than two trees are about {rows}; add trees with make trees")


def check_scores(kit, failed):
    """Prove that the stubs score 0, and that every correct program gets full marks."""
    right = load_variants(kit.root / "solution", kit.rubric.cutoff)
    right += load_variants(kit.root / "solution" / "correct", kit.rubric.cutoff)
    sources = [(kit.root / "starter" / "search.py").read_bytes()]
    sources += [variant.source.encode() for variant in right]
    stub_cents, *cents = grade_in_parallel(kit, sources)
    advice = f"they score {points_text(stub_cents)}; fix starter/search.py"
    record(failed, "the stubs score 0", [advice] if stub_cents else [])
    full_marks = sum(kit.rubric.cents.values())
    problems = [
        f"{variant.path.name} scores {points_text(scored)} of {points_text(full_marks)}; "
        f"run make grade SUBMISSION={variant.path.relative_to(kit.root)}"
        for variant, scored in zip(right, cents)
        if scored != full_marks
    ]
    name = "the reference and every correct variant score 100 %"
    record(failed, name, problems, f"{len(right)} programs")


def grade_in_parallel(kit, sources):
    """Return the score of each program, in cents; each process has one sandbox."""
    make_grader = partial(grader, kit)
    pool = run_in_pool(make_grader, sources, cores(), patience=math.inf)
    cents_of = {}
    with contextlib.closing(pool):
        for source, cents in pool:
            if isinstance(cents, WorkerFailure):
                raise RuntimeError(cents.message)
            cents_of[source] = cents
    return [cents_of[source] for source in sources]


@contextlib.contextmanager
def grader(kit, index):
    """Yield a function that grades a program, in a process on the core of this index."""
    pin_to_one_cpu(index)
    with Sandbox(kit.rubric.limits) as sandbox:
        yield lambda source: grade(kit, source, sandbox).cents


def check_hints(kit, failed):
    """Prove that a wrong program gets hints, and that its results can be written."""
    kit = cached_kit(kit.root)  # fills the cache, which make dist and make rehearse use
    wrong = load_variant(kit.root / WRONG, kit.rubric.cutoff)
    grading = grade(kit, wrong.source.encode())
    results_text(grading, kit)  # may add to the faults
    problems = [f"{WRONG}: {fault.splitlines()[-1]}" for fault in grading.faults]
    record(failed, "a wrong program is graded, with hints", problems)


def check_mistakes(kit, failed):
    """Prove that each known mistake loses points on enough hidden trees."""
    lazy = load_variants(kit.root / "solution" / "lazy", kit.rubric.cutoff)
    programs = [*kit.mistakes, *lazy]
    with Progress(len(programs), word="wrong programs run") as progress:
        matrix = Matrix(kit, programs, progress.step)
    matrix.write(kit.root / MATRIX)
    say(f"{INDENT}the whole kill matrix: {MATRIX}")
    show_typical_scores(kit, matrix, programs)
    escaping = [m for m in kit.mistakes if len(matrix.losses[m.name].trees) < ENOUGH]
    record(
        failed,
        f"every known mistake loses points on {ENOUGH} hidden trees or more",
        [tree_to_add(kit, m, matrix.losses[m.name].trees) for m in escaping],
        f"{len(kit.mistakes) - len(escaping)} of {len(kit.mistakes)}",
    )


def show_typical_scores(kit, matrix, programs):
    """Print the points of typical wrong programs, so that the rubric can be judged."""
    total = sum(kit.rubric.cents.values()) / 100
    typical = [program for program in programs if program.name in TYPICAL]
    say(f"{INDENT}of {total:g} points, this rubric gives")
    for program in sorted(typical, key=matrix.points_lost):
        earned = total - matrix.points_lost(program)
        say(f"{INDENT}{earned:6.2f}  {program.headline}")


def tree_to_add(kit, mistake, trees):
    """Return a line with the number of trees that kill a mistake, and a tree to add."""
    tree = smallest_killing_tree(mistake, kit)
    advice = f"add a tree such as {tree}" if tree else "add larger trees"
    return f"{mistake.name} loses points on too few hidden trees ({len(trees)}); {advice}"


if __name__ == "__main__":
    run("check", main)
