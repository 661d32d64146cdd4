"""Mutants change one thing each, are distinct, and cannot stall whoever runs them."""

import ast
import random
import time
from pathlib import Path

import pytest
from helpers import definitions

from autograder.mistakes.variants import load_variant, load_variants, run_source
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.mutantcheck import fails, survivors
from autograder.workbench.mutants import changes, essence, mutants_of, mutants_of_all

SOLUTION = Path(__file__).parent.parent / "solution"
REFERENCE = load_variant(SOLUTION / "search.py")


@pytest.fixture(scope="module")
def mutants():
    return mutants_of(REFERENCE)


@pytest.fixture(scope="module")
def pool():
    trees = [*random_trees(60, seed=10), *trees_up_to(2, height=1)]
    return [tasks_for([tree], REFERENCE.module()) for tree in trees]


class Source:
    """A submission of so much text."""

    def __init__(self, source):
        self.source = source

    def module(self):
        return run_source(self.source)


def test_there_are_hundreds_of_distinct_mutants(mutants):
    styles = load_variants(SOLUTION / "correct")[:6]
    assert len(mutants_of_all((REFERENCE, *styles))) > 1500
    assert len(mutants) > 250
    assert len({essence(mutant.code) for mutant in mutants}) == len(mutants)
    assert len({mutant.name for mutant in mutants}) == len(mutants)
    assert essence(REFERENCE.code) not in {essence(mutant.code) for mutant in mutants}


def test_a_function_that_two_files_share_is_changed_once():
    copy = load_variant(SOLUTION / "correct" / "move_by_loop.py")
    names = [mutant.name for mutant in mutants_of_all((REFERENCE, copy))]
    lines = {int(name.split()[0].split(":")[1]) for name in names if copy.name in name}
    first = copy.source[: copy.source.index("def best_move")].count("\n")
    assert lines and min(lines) > first


def test_the_tree_is_itself_again_after_every_change():
    tree = ast.parse(REFERENCE.source)
    before = ast.dump(tree)
    for _ in changes(tree):
        pass
    assert ast.dump(tree) == before


def test_every_kind_of_change_is_tried_on_the_reference():
    tried = {what for _, what in changes(ast.parse(REFERENCE.source))}
    assert tried > {
        *(">= becomes >", "max becomes min", "alpha becomes beta", "1 becomes 2"),
        *("infinity becomes 0", "True turned round", "condition negated"),
        *("arguments 3, 4 exchanged", "only argument 2 taken", "parentheses dropped"),
        *("continue instead", "loop over row[:-1]", "return moved in", "beta returned"),
        *("statements exchanged", "statement doubled"),
    }


def test_the_catalogues_strict_cutoff_is_among_the_mutants():
    mistake = load_variant(SOLUTION / "mistakes" / "strict_cutoff_at_min.py")
    tree = ast.parse(REFERENCE.source)
    expected = definitions(mistake.source)
    assert any(
        definitions(ast.unparse(tree)) == expected
        for _, what in changes(tree)
        if what == ">= becomes >"
    )


def test_a_mutant_that_computes_for_ever_without_looking_is_ended(pool):
    spin = REFERENCE.source.replace("        best = -math.inf\n", "        while 1: pass\n")
    began = time.process_time()
    assert any(fails(Source(spin), tasks, seconds=0.05) for tasks in pool[:2])
    assert time.process_time() - began < 5


def test_a_mutant_that_fails_on_import_counts_as_wrong(pool):
    assert fails(Source("raise ValueError"), pool[0])


def test_a_right_search_survives_every_tree_and_a_wrong_one_does_not(pool):
    wrong = load_variant(SOLUTION / "mistakes" / "no_cutoff.py")
    assert survivors([wrong, REFERENCE], sum(pool, [])) == [REFERENCE]


def test_survivors_are_those_that_fail_nowhere_in_the_order_of_the_mutants(mutants, pool):
    steps = []
    chosen = random.Random(1).sample(mutants, 40)
    alike = survivors(chosen, sum(pool, []), step=lambda: steps.append(1))
    right = [m for m in chosen if not any(fails(m, tasks) for tasks in pool)]
    assert alike == right and 0 < len(alike) < 20
    assert len(steps) == len(chosen)
