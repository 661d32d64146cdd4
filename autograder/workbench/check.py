"""Prove the kit to an instructor: `make check`. Exit 1 names what to mend, and how.

What it proves (DESIGN.md, section 8): the trees load and are fit, published figures
hold; stubs score 0, the reference and every correct variant 100 %; and
every known mistake loses points on at least five hidden trees. What programs of little
work earn is told, and a warning where it is beyond their headers. What fewer than forty
hidden trees cannot hold is one warning. Where a proof of seconds fails, no longer one
is begun.
"""

from __future__ import annotations

import time
from pathlib import Path

from autograder.command import Parser, run, say
from autograder.grading import grade
from autograder.judging.rubric import HIDDEN, VISIBLE
from autograder.judging.scores import points_text
from autograder.kit import load_kit, load_reference
from autograder.mistakes.variants import load_variants
from autograder.processes import in_parallel
from autograder.progress import Progress
from autograder.sandbox import Sandbox
from autograder.tasks import EQUALITY
from autograder.workbench.killmatrix import (
    FULL,
    Matrix,
    charged_for,
    least_of,
    smallest_killing_tree,
)
from autograder.workbench.properties import (
    Facts,
    beyond_limits,
    how_many_shown,
    lacking,
    lint,
    mismatches,
)

MATRIX = Path("build") / "check" / "kill-matrix.csv"
SHIPPED = {"minimax": 2500, "alphabeta": 6000, "best_move": 1500}  # points, in cents
MAX_SHOWN = 12  # files of mistakes listed in the terminal, those that lose least first


def main(arguments=None):
    """Run every proof; return 0 if all hold, else 1."""
    Parser(prog="make check", description=__doc__).parse_args(arguments)
    begun = time.monotonic()
    kit = load_kit()
    report = Report(len(kit.hidden))
    check_files(kit, report)
    if not report.failed:
        check_scores(kit, report)
        check_mistakes(kit, report)
    seconds = time.monotonic() - begun
    report.warn()
    if not report.failed:
        print(f"all proved in {seconds:.0f} s")
        return 0
    if not shipped(kit.rubric):
        print("trees that are chosen for your points and ties: make trees FORCE=1")
    print(f"FAILED in {seconds:.0f} s; what to mend is listed above, under")
    for name in report.failed:
        print(f"        {name}")
    return 1


class Report:
    """Prints one line for each proof; `failed` are the names of those that failed.

    trees: how many are hidden. Fewer than a full set's cannot hold everything: what they
    miss fails nothing, and is told in one warning.
    """

    def __init__(self, trees=FULL):
        self.trees, self.failed, self.gaps = trees, [], []

    def __call__(self, name, problems, remark="", missing=""):
        """Print the proof's outcome; each problem on a line of its own.

        missing: what the problems are, such as "kinds of trees not shown", where a small
        set may have some: they are counted, and none is printed.
        """
        problems, outcome = list(problems), "ok"
        if problems and missing and self.trees < FULL:
            self.gaps.append(f"{missing}: {len(problems)}")
            problems, outcome = [], "few"
        elif problems:
            self.failed.append(name)
            outcome = "FAILED"
        say(f"{outcome:<7} {name}{': ' + remark if remark else ''}")
        for problem in problems:
            say(f"        {problem}")

    def warn(self):
        """Say what a small set misses, if it is one, and how to fill the gap."""
        if self.trees < FULL:
            missed = "; ".join(self.gaps) or "each is worth more of the points"
            few = f"{self.trees} hidden trees are few (a full set has {FULL})"
            say(f"warning {few}: {missed}")
            say("        five more that fill gaps: make trees KEEP=1 COUNT=5")


def shipped(rubric):
    """Tell whether points and ties are those that the shipped trees are chosen for."""
    return rubric.cutoff == EQUALITY and rubric.cents == SHIPPED


def check_files(kit, report):
    """Prove what reading the files proves, in seconds."""
    count = f"{len(kit.public)} public and {len(kit.hidden)} hidden trees"
    searches = f"{count}, {len(kit.tasks)} searches"
    report("the trees load, and the reference runs", [], searches)
    public = [Facts(tree, kit.reference) for tree in kit.public]
    hidden = [Facts(tree, kit.reference) for tree in kit.hidden]
    beyond = (line for facts in (*public, *hidden) for line in beyond_limits(facts))
    report("the sets of trees are fit", [*lint(kit.public, kit.hidden), *beyond])
    report(
        "published figures are reproduced",
        mismatches((*kit.public, *kit.hidden), load_reference(kit.root, EQUALITY)),
    )
    name, what = "the hidden trees show what a set is to show", "kinds of trees not shown"
    count, *some = how_many_shown(hidden)
    report(name, lacking(hidden), count, what)
    for line in some:
        say(f"      {line}")
    warn_of_rows(kit)


def warn_of_rows(kit):
    """Say which concepts no tree is about, and where students do not see their total."""
    present = {(row.function, row.concept) for row in kit.rows}
    missing = [
        f"{function}: {concept}"
        for function, concepts in kit.rubric.weights.items()
        for concept in concepts
        if (function, concept) not in present
    ]
    if missing:
        say(f"        no tree is about {'; '.join(missing)}: others have the points")
    if kit.rubric.visibility != VISIBLE:
        never = kit.rubric.visibility == HIDDEN
        until = "for good" if never else "until its hidden trees are shown"
        say(f"        warning: Gradescope hides a student's total {until}")


def check_scores(kit, report):
    """Prove that stubs score nothing, the reference and all right programs everything."""
    right = [
        variant
        for folder in ("solution", "solution/correct")
        for variant in load_variants(kit.root / folder, kit.rubric.cutoff)
    ]
    stubs = (kit.root / "starter" / "search.py").read_bytes()
    sources = [stubs, *(variant.source.encode() for variant in right)]

    def cents_of(source):
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox).cents

    stub_cents, *cents = in_parallel(cents_of, sources)
    most = sum(kit.rubric.cents.values())
    report("the stubs score 0", [f"they score {stub_cents / 100}"] if stub_cents else [])
    report(
        "the reference and every correct variant score 100 %",
        (
            f"{variant.path.name} scores {points_text(scored)} of {points_text(most)}; "
            f"run make grade SUBMISSION={variant.path.relative_to(kit.root)}"
            for variant, scored in zip(right, cents)
            if scored != most
        ),
        f"{len(right)} programs",
    )


def check_mistakes(kit, report):
    """Prove that known mistakes lose points; tell what programs of little work earn."""
    lazy = load_variants(kit.root / "solution" / "lazy", kit.rubric.cutoff)
    programs = [*kit.mistakes, *lazy]
    with Progress(len(programs), word="wrong programs run") as progress:
        matrix = Matrix(kit, programs, progress.step)
    matrix.write(kit.root / MATRIX)
    charged, least = charged_for(kit.mistakes, kit.rubric), least_of(report.trees)
    escaping = [m for m in charged if len(matrix.trees[m.name]) < least]
    trees = "tree" if least == 1 else "trees"
    report(
        f"every known mistake loses points on {least} hidden {trees} or more",
        (tree_to_add(kit, mistake, matrix.trees[mistake.name]) for mistake in escaping),
        f"{len(charged) - len(escaping)} of {len(charged)}",
        "known mistakes caught too seldom",
    )
    of_files = {m.path: m for m in sorted(charged, key=matrix.points_lost, reverse=True)}
    for mistake in sorted(of_files.values(), key=matrix.points_lost)[:MAX_SHOWN]:
        count, points = len(matrix.trees[mistake.name]), matrix.points_lost(mistake)
        say(f"        loses {points:5.2f} points on {count:2} trees: {mistake.name}")
    say(f"        the whole kill matrix: {MATRIX}")
    for line in little_work(kit, matrix, [each for each in programs if each.points]):
        say(line)


def tree_to_add(kit, mistake, trees):
    """Return the line that says how few trees kill a mistake, and what tree to add."""
    tree = smallest_killing_tree(mistake, kit.reference)
    advice = f"add a tree such as {tree}" if tree else "add larger trees"
    return f"hidden trees that tell '{mistake.name}' from right: {len(trees)}; {advice}"


def little_work(kit, matrix, programs):
    """Yield lines that say what each program earns, and where its header says otherwise.

    Headers are in per cent of all points, as the shipped rubric splits them. What is
    beyond them is a warning, for as long as its points and its rule for ties hold.
    """
    most = sum(kit.rubric.cents.values()) / 100
    earned = {each: round(most - matrix.points_lost(each), 2) + 0.0 for each in programs}
    yield f"        of {most:g} points, these wrong programs earn"
    for program in sorted(programs, key=earned.get):
        low, high = program.points
        within = not shipped(kit.rubric) or low <= earned[program] <= high
        warning = f": its header says {low:g} to {high:g} %"
        name = program.name if within else f"{program.name}{warning}"
        yield f"{'        ' if within else 'warning '}{earned[program]:6.2f}  {name}"


if __name__ == "__main__":
    run("check", main)
