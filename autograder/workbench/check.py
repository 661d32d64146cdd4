"""Prove that the kit is ready for a course: `make check`.

The trees must satisfy the rules, and the published figures must be correct. The judge that
students have at home must accept the reference. The stubs must score 0. The reference and
every correct variant must score 100 %. Every known mistake must lose points on at least
five hidden trees. If a short proof fails, the long proofs do not start. The exit status is
1 if a proof fails. The output then explains each necessary fix.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.explanation import Explanation
from autograder.explaining.known import changes_at
from autograder.explaining.library import run_variants
from autograder.explaining.variants import NO_LINE, Variant, load_variant, load_variants
from autograder.grading import Grading, grade
from autograder.ground.command import run, say
from autograder.ground.files import CACHE, load, store
from autograder.kit import ROOT, Kit, cached_kit
from autograder.kit.contents import proof_hash
from autograder.kit.loading import load_reference
from autograder.scoring.rubric import MISTAKE
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import EQUALITY, Task, tasks_for
from autograder.showing.results import results_text
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.limits import beyond_limits
from autograder.workbench.killmatrix import (
    ENOUGH,
    IN_ROW,
    Losses,
    find_losses,
    is_caught,
    write_matrix,
)
from autograder.workbench.lint import (
    lacking,
    lint,
    lint_headers,
    mismatches,
    published_warning,
)
from autograder.workbench.texts import text_problems
from gametree.support.judging import judge
from gametree.support.sentences import findings
from gametree.support.texts import describe_search

PROOF = Path(CACHE) / "proof"  # exists if everything was proved
MATRIX = Path("build") / "check" / "kill-matrix.csv"
MISTAKES = Path("solution") / "mistakes"
WRONG = MISTAKES / "no_cutoff_at_min.py"  # gets every hint
INDENT = " " * 8
# Files of solution/mistakes/ with mistakes that students often make.
TYPICAL = (
    "strict_cutoff",
    "no_cutoff",
    "no_cutoff_at_min",
    "one_window_for_all_nodes",
    "fresh_window_for_children",
    "given_window_ignored",
    "depth_never_tested",
    "infinity_is_9999",
    "move_is_last_of_equals",
    "minimax_keeps_last_score",
)


class Proof(NamedTuple):
    """A proof, and what it found.

    name: what is proved.
    problems: one line with advice for each problem. The proof succeeds if there is none.
    remark: what was counted, or "".
    """

    name: str
    problems: list[str]
    remark: str = ""


def main() -> int:
    """Run every proof; return 0 if all succeed, else 1."""
    key = proof_hash(ROOT)
    begun = time.monotonic()
    kit = cached_kit()
    warning = published_warning(kit.root)
    if warning:
        say(f"note    {warning}")
    failed = run_proofs(short_proofs(kit)) or run_proofs(long_proofs(kit))
    seconds = f"{time.monotonic() - begun:.0f} s"
    if not failed:
        print(f"all proved in {seconds}")
        store(ROOT / PROOF, key, seconds)
        return 0
    print(f"FAILED in {seconds}: {'; '.join(failed)}; the lines above name the fixes")
    return 1


def is_proved() -> bool:
    """Tell whether every proof succeeds; it runs only if a file has changed since."""
    if load(ROOT / PROOF, proof_hash(ROOT)):
        print("proved by make check, and no file has changed since")
        return True
    return main() == 0


def run_proofs(proofs: Iterable[Proof]) -> list[str]:
    """Print the outcome and the problems of each proof; return the names of the failed."""
    failed = []
    for name, problems, remark in proofs:
        outcome = "ok"
        if problems:
            outcome = "FAILED"
            failed.append(name)
        line = f"{outcome:<7} {name}"
        if remark:
            line += f": {remark}"
        say(line)
        for problem in problems:
            say(f"{INDENT}{problem}")
    return failed


def short_proofs(kit: Kit) -> Iterator[Proof]:
    """Yield the proofs that only read files. They take seconds."""
    yield Proof("the sentences of texts.yaml can be filled in", list(text_problems()))
    headers = list(lint_headers(kit.root / "solution"))
    yield Proof("the headers of solution/ have only words with a meaning", headers)
    trees = (*kit.public, *kit.hidden)
    problems = list(lint(trees))
    for tree in trees:
        problems += beyond_limits(tree, [task for task in kit.tasks if task.tree is tree])
    count = f"{len(kit.public)} public and {len(kit.hidden)} hidden trees"
    searches = f"{count}, {len(kit.tasks)} searches"
    yield Proof("the sets of trees satisfy the rules", problems, searches)
    reference = load_reference(kit.rubric._replace(cutoff=EQUALITY), kit.root)
    wrong_figures = list(mismatches(trees, reference))
    yield Proof("published figures are reproduced", wrong_figures)
    name = "the judge that students have at home accepts the reference"
    yield Proof(name, list(reference_problems(kit.tasks)))
    name = "the hidden trees show all required features"
    yield Proof(name, list(lacking(kit.hidden_tasks)))
    say(f"{INDENT}{uncaught_limits(kit.hidden_tasks)}")
    warn_of_rows_with_few_trees(kit)


def long_proofs(kit: Kit) -> Iterator[Proof]:
    """Yield the proofs that run programs."""
    yield prove_correct_programs(kit)
    yield prove_mistakes(kit)
    yield from prove_gradings(kit)
    if kit.rubric.allows(MISTAKE):
        say_which_are_named(kit)


def reference_problems(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield one line for each function of the reference that is wrong at home.

    The starter does not have the reference. Its judge compares with a search that follows
    the record of the function. If the two differ, correct students pass only one of them.
    """
    found = set()
    for task in tasks:
        if task.function in found:
            continue
        expected = task.correct_search().trace()
        at_home = Task(task.tree, task.function, task.search, expected, task.aspects)
        verdict = judge(at_home, task.expected)
        if not verdict.is_right:
            found.add(task.function)
            where = f"{task.tree.name} ({describe_search(task.search)})"
            errors = "; ".join(findings(verdict))
            yield (
                f"{task.function} on {where}: {errors}; values are in MAX's sense, whoever "
                "moves; fix solution/search.py, or the record in "
                "starter/gametree/functions.py"
            )


def uncaught_limits(tasks: Iterable[Task]) -> str:
    """Return a line with the limits on all searches together that no search reaches.

    A program may stop for good after some number of nodes. It is then correct if the
    searches of a submission have fewer nodes in all.
    """
    nodes = Counter()  # function -> its visits in all searches
    for task in tasks:
        nodes[task.function] += task.expected.node_count
    counts = ", ".join(f"{count:,} in {function}" for function, count in nodes.items())
    return f"not caught: a limit on the nodes of all searches together, from {counts} on"


def warn_of_rows_with_few_trees(kit: Kit) -> None:
    """Name the rows that have too few trees.

    If a row has no tree, the other rows of its function share its points.
    """
    trees = {}  # name of a row -> the names of its trees
    for planned in kit.plan:
        trees[planned.row.name] = {task.tree.name for task in planned.tasks}
    few = []
    for function, concepts in kit.rubric.rows.items():
        for concept in concepts:
            name = f"{function}: {concept}"
            if len(trees.get(name, ())) < IN_ROW:
                few.append(name)
    if few:
        rows = "; ".join(few)
        few_trees = f"fewer than {IN_ROW} trees are about {rows}"
        say(f"{INDENT}{few_trees}; add trees, or omit the row")


def prove_correct_programs(kit: Kit) -> Proof:
    """Prove that the reference and every correct variant are correct on every tree."""
    variants = load_variants(kit.root / "solution", kit.rubric.cutoff)
    variants += load_variants(kit.root / "solution" / "correct", kit.rubric.cutoff)
    library = run_variants(variants, kit.tasks)
    problems = []
    for variant in variants:
        names = [task.tree.name for task in library.failures_of(variant)]
        if names:
            path = variant.path.relative_to(kit.root)
            problems.append(f"{path} fails on {names[0]}; run make grade SUBMISSION={path}")
    name = "the reference and every correct variant score 100 %"
    return Proof(name, problems, f"{len(variants)} programs")


def prove_mistakes(kit: Kit) -> Proof:
    """Prove that each known mistake loses points on enough hidden trees."""
    losses = find_losses(kit, kit.library)
    write_matrix(kit.root / MATRIX, losses)
    say(f"{INDENT}the whole kill matrix: {MATRIX}")
    mistakes = kit.library.variants
    show_typical_scores(kit, losses, mistakes)
    problems = []
    for mistake in mistakes:
        trees = losses[mistake.name].trees
        if len(trees) < ENOUGH:
            problems.append(tree_to_add(kit, mistake, len(trees)))
    name = f"every known mistake loses points on {ENOUGH} hidden trees or more"
    caught = len(mistakes) - len(problems)
    return Proof(name, problems, f"{caught} of {len(mistakes)}")


def prove_gradings(kit: Kit) -> Iterator[Proof]:
    """Grade the stubs, the reference and a wrong program as submissions are graded."""
    stubs = grade(kit, (kit.root / "starter" / "search.py").read_bytes())
    problems = []
    if stubs.score.cents:
        problems = [f"they score {points_text(stubs.score.cents)}; fix starter/search.py"]
    yield Proof("the stubs score 0", problems)
    reference = grade_variant(kit, Path("solution") / "search.py")
    problems = []
    if not reference.score.is_right:  # for example because the limits are too low
        problems = [f"it scores {points_text(reference.score.cents)}; run make grade"]
    yield Proof("the reference is graded within the limits", problems)
    wrong = grade_variant(kit, WRONG)
    faults = (*wrong.faults, *results_text(wrong).faults)
    problems = [f"{WRONG}: {fault.splitlines()[-1]}" for fault in faults]
    yield Proof("a wrong program is graded, with hints", problems)


def grade_variant(kit: Kit, path: Path) -> Grading:
    """Grade a program of solution/, whose path is relative to the kit."""
    return grade(kit, load_variant(kit.root / path, kit.rubric.cutoff).source.encode())


def say_which_are_named(kit: Kit) -> None:
    """Say of each mistake without `Line:` whether students read its headline.

    All mistakes of the kit have this line, so these are the course's own.
    """
    for mistake in kit.mistakes:
        if mistake.name == mistake.path.stem and not mistake.fixes:
            path = mistake.path.relative_to(kit.root)
            found = grade(kit, mistake.source.encode()).explanation
            say(f"note    {path}: {naming(mistake, found)}")


def naming(mistake: Variant, found: Explanation) -> str:
    """Return whether students read a mistake's headline, and what its header lacks.

    found: the Explanation of the mistake, graded as a submission.
    """
    changes = []
    for line in filter(None, map(found.lines.get, mistake.shows)):
        changes += [change for change in sorted(changes_at(line)) if " in " in change]
    if changes:
        return (
            "a change of one line fixes it, so students do not read its headline; "
            f"add to its header: Line: {', '.join(changes)}"
        )
    if any(diagnosis.mistake is mistake for diagnosis in found.diagnoses.values()):
        return f"students read its headline; add to its header: Line: {NO_LINE}"
    return "students do not read its headline, because another reason is found"


def show_typical_scores(
    kit: Kit, losses: Mapping[str, Losses], mistakes: Iterable[Variant]
) -> None:
    """Print the points of typical wrong programs, so that the rubric can be judged."""
    total = kit.rubric.max_cents
    say(f"{INDENT}of {points_text(total)} points, this rubric gives")
    typical = [mistake for mistake in mistakes if mistake.name in TYPICAL]
    for mistake in sorted(typical, key=lambda mistake: losses[mistake.name].cents):
        earned = total - losses[mistake.name].cents
        say(f"{INDENT}{earned / 100:6.2f}  {mistake.headline}")


def tree_to_add(kit: Kit, mistake: Variant, trees: int) -> str:
    """Return a line with a tree to add for a mistake.

    trees: the number of hidden trees on which it loses points.
    """
    advice = "add larger trees"
    for tree in small_trees():
        if is_caught(mistake, tasks_for([tree], kit.reference), kit.rubric):
            advice = f"add a tree such as {tree.name}"
            break
    return f"{mistake.name} loses points on too few hidden trees ({trees}); {advice}"


if __name__ == "__main__":
    run("check", main)
