"""Prove what wrong programs earn: on the kit's trees, and on fresh sets of trees."""

from __future__ import annotations

import shutil
from fractions import Fraction

from autograder.judging.concepts import WEIGHTS
from autograder.judging.scores import points_text
from autograder.kit import load_kit
from autograder.rubric import as_written
from autograder.utilities import Progress
from autograder.workbench import generate
from autograder.workbench.killmatrix import cents_of, lost_by

SETS = "build/check/sets"  # the folder of the fresh sets
FIRST_SEED = 1  # theirs are not drawn: a proof says the same each time
MOST_SPREAD = 600  # cents between what a mistake earns on two sets
# function -> per cent of the points, and shares, for which the headers are written.
HEADERS_ARE_FOR = {
    "minimax": (25, 40, 40, 20),
    "alphabeta": (60, 15, 65, 20),
    "best_move": (15, 80, 20),
}


def check_points(kit, report, programs, lost):
    """Prove that each program earns what its header allows, if it says anything."""
    saying = [program for program in programs if program.points]
    cents = {p.name: cents_of(kit.rows, kit.tasks, lost[p.name]) for p in saying}
    if not headers_hold(kit.rubric):
        most = points_text(sum(kit.rubric.cents.values()))
        print(f"        under this rubric, of {most} points, these wrong programs earn")
        for name in sorted(cents, key=cents.get):
            print(f"        {points_text(cents[name]):>6}  {name}")
        saying = []
    present = {(row.function, row.concept) for row in kit.rows}
    missing = [
        f"{function}: {concept}"
        for function, concepts in kit.rubric.weights.items()
        for concept in concepts
        if (function, concept) not in present
    ]
    report.missing(
        "wrong programs earn what their headers allow",
        "programs outside the points of their headers",
        _outside(saying, cents, kit.rubric),
        f"{len(saying)} programs",
    )
    if missing:
        print(f"        no tree is about {'; '.join(missing)}: others have the points")


def headers_hold(rubric):
    """Tell whether points are split as the headers suppose, whatever their total."""
    total = sum(rubric.cents.values()) or 1
    split = {
        name: (Fraction(100 * cents, total), *rubric.shares[name].values())
        for name, cents in rubric.cents.items()
    }
    return split == HEADERS_ARE_FOR and rubric.weights == {
        name: {concept: as_written(weight) for concept, weight in WEIGHTS[name].items()}
        for name in HEADERS_ARE_FOR
    }


def _outside(programs, cents, rubric):
    """Yield a line for each program that earns more or less than its header allows."""
    total = sum(rubric.cents.values())
    for program in programs:
        least, most = program.points
        earned = round(10_000 * cents[program.name] / total)
        if not least <= earned / 100 <= most:
            yield (
                f"{program.path.name} earns {points_text(earned)}, its header "
                f"says {least:g} to {most:g}; mend the trees, rubric.yaml or the header"
            )


def check_fresh_sets(kit, report, programs, sets):
    """Prove the same on fresh sets, and that a mistake's total hardly depends on them."""
    earned, outside = {program.name: [] for program in programs}, []
    saying = [p for p in programs if p.points and headers_hold(kit.rubric)]
    for seed in range(FIRST_SEED, FIRST_SEED + sets):
        fresh = fresh_kit(kit, seed)
        with Progress(len(programs), done="wrong programs run") as progress:
            lost = lost_by(programs, fresh, progress.step)
        cents = {
            name: cents_of(fresh.rows, fresh.tasks, parts) for name, parts in lost.items()
        }
        outside += [f"SEED={seed}: {line}" for line in _outside(saying, cents, kit.rubric)]
        for name, each in cents.items():
            earned[name].append(each)
    report(f"the same on {sets} fresh sets", outside)
    spread = {name: max(each) - min(each) for name, each in earned.items()}
    widest = sorted(spread, key=spread.get, reverse=True)[:5]
    report(
        f"over them no program's points differ by more than {points_text(MOST_SPREAD)}",
        [
            f"{name}: {', '.join(map(points_text, earned[name]))}"
            for name in widest
            if spread[name] > MOST_SPREAD
        ],
        ", ".join(f"{name} by {points_text(spread[name])}" for name in widest),
    )


def fresh_kit(kit, seed):
    """Return the kit with a hidden set that `make trees` makes of a seed."""
    folder = kit.root / SETS / str(seed)
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("public", "hidden"):
        shutil.copytree(kit.root / "trees" / name, folder / name)
    hidden = str(folder / "hidden")
    generate.main(["--seed", str(seed), "--force", "--out", hidden])
    return load_kit(kit.root, folder)
