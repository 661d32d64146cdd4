"""What the tests of diagnoses and signatures share: a library of quick trees, and runs."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from helpers import REFERENCE_SOURCE, ROOT

from autograder.judging.verdict import judge
from autograder.kit import load_kit
from autograder.mistakes.diagnosis import diagnose, signature
from autograder.mistakes.library import Library, run_variant
from autograder.mistakes.variants import Variant


@cache
def quick_library():
    """A library of the known mistakes on the kit's trees that are quick to search."""
    kit = load_kit()
    trees = [list(tasks) for _, tasks in groupby(kit.tasks, lambda task: task.tree.name)]
    cheap = [t for t in trees if sum(len(task.expected.events) for task in t) < 60]
    tasks = [task for tasks in cheap for task in tasks]
    return Library(kit.library.variants, tasks, signature, REFERENCE_SOURCE.decode())


def variant_of(source):
    """Return a source text as a Variant, as if it were a known mistake's."""
    return Variant("submission", ROOT / "search.py", "", "", (), {}, source)


def runs_of(library, variant):
    """Run a Variant on the library's tasks in this process; return the RunPair of each."""
    runs = []
    twice = not variant.shows or any("second" in a for a in variant.shows.values())
    for _, tasks in groupby(library.tasks, key=lambda task: task.tree.name):
        runs += run_variant(variant, list(tasks), twice, most_queries=3000)
    return runs


def verdicts_of(library, runs):
    """Judge the RunPair of the library's tasks."""
    return [judge(task, pair) for task, pair in zip(library.tasks, runs)]


def diagnosed(library, source):
    """Return the Diagnoses of a source text or a Variant."""
    variant = source if isinstance(source, Variant) else variant_of(source)
    runs = runs_of(library, variant)
    return diagnose(library, runs, verdicts_of(library, runs))


def names(diagnosis):
    """Return the names of the known mistakes that a Diagnosis names."""
    return [variant.name for variant in diagnosis.variants]


def correct(name):
    """Return the text of another right submission."""
    return (ROOT / "solution" / "correct" / f"{name}.py").read_text()
