"""Prove that the kit is ready for a course: `make check`.

The trees must load and satisfy the rules, and the published figures must be correct. The
stubs must score 0. The reference and every correct variant must score 100 %. Every known
mistake must lose points on at least five hidden trees. The command also prints the points
that trivial programs earn. A set of fewer than forty hidden trees gets one warning. If a
short proof fails, the long proofs do not start. The exit status is 1 if a proof fails. The
output then explains each necessary fix.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from autograder.command import Parser, Progress, run, say
from autograder.files import finish_replacing
from autograder.grading import grade
from autograder.judging.concepts import AT_THE_LIMITS, WEIGHTS
from autograder.judging.scores import HIDDEN, VISIBLE, points_text
from autograder.kit import ROOT, cached_kit, load_kit, load_reference
from autograder.mistakes.variants import load_variant, load_variants
from autograder.processes import in_parallel
from autograder.results import results_text
from autograder.sandbox import Sandbox
from autograder.tasks import EQUALITY
from autograder.workbench.facts import Facts
from autograder.workbench.killmatrix import (
    FULL,
    Matrix,
    charged_for,
    least_of,
    smallest_killing_tree,
)
from autograder.workbench.lint import (
    beyond_limits,
    decimal_commas,
    file_problems,
    fit_rubric,
    lint,
    mismatches,
    text_problems,
)
from autograder.workbench.properties import lacking

MATRIX = Path("build") / "check" / "kill-matrix.csv"
WRONG = Path("solution") / "mistakes" / "no_cutoff_at_min.py"  # gets every hint
MAX_SHOWN = 12  # files of mistakes in the terminal, sorted by the points that they lose
INDENT = " " * 8
OTHER_TREES = "the hidden trees are for another rubric; generate others: make trees FORCE=1"


def main(arguments=None):
    """Run every proof; return 0 if all succeed, else 1."""
    Parser(prog="make check", description=__doc__).parse_args(arguments)
    begun = time.monotonic()
    report = Report()
    check_tree_files(ROOT / "trees", report)
    if not report.failed:
        check_kit(report)
    seconds = f"{time.monotonic() - begun:.0f} s"
    if not report.failed:
        print(f"all proved in {seconds}")
        return 0
    print(f"FAILED in {seconds}; the lines above name the necessary fixes for")
    for name in report.failed:
        print(f"{INDENT}{name}")
    return 1


def check_tree_files(trees, report):
    """Report all tree files that cannot be parsed, and warn of decimal commas."""
    finish_replacing(trees / "hidden")
    present = [path for path in (trees / "public", trees / "hidden") if path.is_dir()]
    problems = [line for folder in present for line in file_problems(folder)]
    if problems:
        report.record("the tree files can be parsed", problems)
        return
    for folder in present:
        for line in decimal_commas(folder):
            say(f"warning {line}")


def check_kit(report):
    """Run all proofs of the kit, the long proofs only if the short proofs succeed."""
    kit = load_kit()
    report.trees = len(kit.hidden)
    has_other_trees = not fit_rubric(kit.root, kit.rubric)
    if has_other_trees:
        say(f"note    {OTHER_TREES}")
    check_files(kit, report)
    if not report.failed:
        check_scores(kit, report)
        check_hints(kit, report)
        check_mistakes(kit, report)
    report.warn_of_small_set()
    if report.failed and has_other_trees:
        report.failed.append(OTHER_TREES)


class Report:
    """Print one line for each proof, and collect the names of the failed proofs.

    trees: the number of hidden trees. The gaps of a small set cause one warning, and no
        proof fails because of them.
    failed: the names of the proofs that failed.
    gaps: descriptions of the gaps of a small set.
    """

    def __init__(self, trees: int = FULL):
        self.trees = trees
        self.failed = []
        self.gaps = []

    def record(
        self, name: str, problems: Iterable[str], remark: str = "", missing: str = ""
    ) -> None:
        """Print the proof's outcome, and each problem on a separate line.

        missing: a name for the problems, such as "kinds of trees not shown", if a small set
            may have them. For a small set they are counted and not printed.
        """
        found = list(problems)
        outcome = "ok"
        if found and missing and self.trees < FULL:
            self.gaps.append(f"{missing}: {len(found)}")
            found = []
            outcome = "few"
        elif found:
            self.failed.append(name)
            outcome = "FAILED"
        line = f"{outcome:<7} {name}"
        if remark:
            line += f": {remark}"
        say(line)
        for problem in found:
            say(f"{INDENT}{problem}")

    def warn_of_small_set(self) -> None:
        """Warn of the gaps of a small set, and name the command that fills them."""
        if self.trees >= FULL:
            return
        missed = "; ".join(self.gaps) or "each tree is worth more points"
        few = f"{self.trees} hidden trees are few (a full set has {FULL})"
        say(f"warning {few}: {missed}")
        say(f"{INDENT}to add five trees that fill gaps: make trees KEEP=1 COUNT=5")


def check_files(kit, report):
    """Run the short proofs, which only read files. They take seconds."""
    report.record("the sentences of texts.yaml can be filled in", text_problems())
    count = f"{len(kit.public)} public and {len(kit.hidden)} hidden trees"
    searches = f"{count}, {len(kit.tasks)} searches"
    report.record("the trees load, and the reference runs", [], searches)
    public = [Facts(tree, kit.reference) for tree in kit.public]
    hidden = [Facts(tree, kit.reference) for tree in kit.hidden]
    problems = list(lint(kit.public, kit.hidden))
    for facts in public + hidden:
        problems += beyond_limits(facts)
    report.record("the sets of trees satisfy the rules", problems)
    reference = load_reference(kit.root, EQUALITY)
    problems = mismatches((*kit.public, *kit.hidden), reference)
    report.record("published figures are reproduced", problems)
    report.record(
        "the hidden trees show all required properties",
        lacking(hidden),
        missing="kinds of trees not shown",
    )
    warn_of_concepts_without_trees(kit)
    warn_of_single_trees(kit)
    warn_of_hidden_totals(kit.rubric)


def warn_of_concepts_without_trees(kit):
    """Name the concepts of each function that have no tree, and so no row."""
    present = {(row.function, row.concept) for row in kit.rows}
    missing = [
        f"{function}: {concept}"
        for function in kit.rubric.cents
        for concept in WEIGHTS[function]
        if (function, concept) not in present
    ]
    if missing:
        rows = "; ".join(missing)
        say(f"{INDENT}no tree is about {rows}; other rows have the points")


def warn_of_single_trees(kit):
    """Name the rows of hidden trees and the kinds of limits that have a single tree."""
    names_of = {}
    for row in kit.rows:
        if row.is_public:
            continue
        for task in row.tasks:
            kind = row.name
            if row.concept == AT_THE_LIMITS:
                kind = f"{row.name}, {row.part_of(task)}"
            names_of.setdefault(kind, set()).add(task.tree.name)
    single = [kind for kind, names in names_of.items() if len(names) == 1]
    if single:
        rows = "; ".join(single)
        say(f"{INDENT}only one tree is about {rows}; add trees with make trees")


def warn_of_hidden_totals(rubric):
    """Warn if Gradescope hides the total score from students at first."""
    if rubric.visibility == VISIBLE:
        return
    until = "until the rows of hidden trees are visible"
    if rubric.visibility == HIDDEN:
        until = "permanently"
    say(f"{INDENT}warning: Gradescope hides a student's total {until}")


def check_scores(kit, report):
    """Prove that the stubs score 0, and that every correct program gets full marks."""
    right = load_variants(kit.root / "solution", kit.rubric.cutoff)
    right += load_variants(kit.root / "solution" / "correct", kit.rubric.cutoff)
    sources = [(kit.root / "starter" / "search.py").read_bytes()]
    sources += [variant.source.encode() for variant in right]

    def cents_of(source):
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox).cents

    stub_cents, *cents = in_parallel(cents_of, sources)
    advice = f"they score {points_text(stub_cents)}; fix starter/search.py"
    report.record("the stubs score 0", [advice] if stub_cents else [])
    full_marks = sum(kit.rubric.cents.values())
    problems = [
        f"{variant.path.name} scores {points_text(scored)} of {points_text(full_marks)}; "
        f"run make grade SUBMISSION={variant.path.relative_to(kit.root)}"
        for variant, scored in zip(right, cents)
        if scored != full_marks
    ]
    name = "the reference and every correct variant score 100 %"
    report.record(name, problems, f"{len(right)} programs")


def check_hints(kit, report):
    """Prove that a wrong program gets hints, and that its results can be written."""
    kit = cached_kit(kit.root)  # fills the cache, which make dist and make rehearse use
    wrong = load_variant(kit.root / WRONG, kit.rubric.cutoff)
    grading = grade(kit, wrong.source.encode())
    results_text(grading, kit)  # may add to the faults
    problems = [f"{WRONG}: {fault.splitlines()[-1]}" for fault in grading.faults]
    report.record("a wrong program is graded, with hints", problems)


def check_mistakes(kit, report):
    """Prove that known mistakes lose points; print the points of trivial programs."""
    lazy = load_variants(kit.root / "solution" / "lazy", kit.rubric.cutoff)
    programs = [*kit.mistakes, *lazy]
    with Progress(len(programs), word="wrong programs run") as progress:
        matrix = Matrix(kit, programs, progress.step)
    matrix.write(kit.root / MATRIX)
    charged = charged_for(kit.mistakes, kit.rubric)
    report_escaping(kit, report, matrix, charged)
    for line in least_losses(matrix, charged):
        say(line)
    say(f"{INDENT}the whole kill matrix: {MATRIX}")
    with_range = [program for program in programs if program.points]
    for line in points_earned(kit.rubric, matrix, with_range):
        say(line)


def report_escaping(kit, report, matrix, charged):
    """Prove that each known mistake loses points on enough hidden trees."""
    least = least_of(report.trees)
    trees = "tree" if least == 1 else "trees"
    escaping = [m for m in charged if len(matrix.trees[m.name]) < least]
    report.record(
        f"every known mistake loses points on {least} hidden {trees} or more",
        (tree_to_add(kit, mistake, matrix.trees[mistake.name]) for mistake in escaping),
        f"{len(charged) - len(escaping)} of {len(charged)}",
        "known mistakes with too few trees",
    )


def tree_to_add(kit, mistake, trees):
    """Return a line with the number of trees that kill a mistake, and a tree to add."""
    tree = smallest_killing_tree(mistake, kit.reference)
    advice = f"add a tree such as {tree}" if tree else "add larger trees"
    return f"{mistake.name} loses points on too few hidden trees ({len(trees)}); {advice}"


def least_losses(matrix, charged):
    """Yield a line for each file of mistakes, sorted by the points that it loses.

    If a file has several mistakes, the mistake that loses the fewest points counts.
    """
    descending = sorted(charged, key=matrix.points_lost, reverse=True)
    least_of_files = {mistake.path: mistake for mistake in descending}.values()
    for mistake in sorted(least_of_files, key=matrix.points_lost)[:MAX_SHOWN]:
        points = matrix.points_lost(mistake)
        count = len(matrix.trees[mistake.name])
        trees = f"{count:2} trees, best on {matrix.best_tree[mistake.name]}"
        yield f"{INDENT}loses {points:5.2f} points on {trees}: {mistake.name}"


def points_earned(rubric, matrix, programs):
    """Yield a heading, then a line with the points that each program earns."""
    full_marks = sum(rubric.cents.values()) / 100
    earned = {
        program: round(full_marks - matrix.points_lost(program), 2) + 0.0
        for program in programs
    }
    yield f"{INDENT}points of {full_marks:g} that these wrong programs earn:"
    for program in sorted(earned, key=earned.get):
        yield f"{INDENT}{earned[program]:6.2f}  {program.name}"


if __name__ == "__main__":
    run("check", main)
