"""What a search is about is found out, and points go by it."""

import itertools
from dataclasses import replace
from fractions import Fraction

from drawn import NO_CUTOFF
from helpers import ROOT, tasks_of, trace_of, tree_of

from autograder.judging.concepts import ABOUT, PUBLIC, concept_of
from autograder.judging.concepts import WEIGHTS as ALL_WEIGHTS
from autograder.judging.scores import earned, plan_rows, score_rows
from autograder.kit import prepare
from autograder.rubricfile import load_rubric
from gametree import parse_tree
from gametree.course import ASSIGNED
from gametree.support.judging import judge

WEIGHTS = {name: ALL_WEIGHTS[name] for name in ASSIGNED}
RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")
FEWEST, MAX_ROWS = 4, 32


def concept(nested, function="alphabeta", root="max", searches=None):
    """The concept of the last search of a tree."""
    tasks = tasks_of(tree_of(nested, root, searches), functions=(function,))
    return concept_of(tasks[-1])


NUMBERS = "zero, negative, fractional, large values"
STATICS = "[{value: 3.5, children: [1, 2]}, {value: 2, children: [1, 1]}]"
ABOUT_A_TREE = (  # its root, what alphabeta meets, and the others, if more than a mover
    ("[[3, 9], [2, 8]]", "max", "cutoffs at MIN"),
    ("[[3, 5], [7, 8]]", "min", "cutoffs at MAX"),
    ("[[[5, 8], [9, 7]], [[3, 2], 6]]", "max", "cutoffs by both players"),
    ("[3, 9, 4]", "max", "where nothing may be cut off"),
    ("[[3, 9], [2, 1]]", "min", "where nothing may be cut off"),
    ("[[3, 9], [3, 8]]", "max", "ties", None, "equal moves"),
    ("[10, [20, [1, [4, 2]]]]", "max", "bounds from far above"),
    ("[[3], [2, 8]]", "max", "odd shapes", "odd shapes"),
    ("7", "max", "at the limits", "at the limits", ""),
    ("[[-3, -1], [-4, -8]]", "max", "zero and negative values", NUMBERS, NUMBERS),
    ("[[0, 9], [-2, 8]]", "max", "zero and negative values", NUMBERS),
    ("[[3.5, 9], [2, 8]]", "max", "fractions and large values", NUMBERS, NUMBERS),
    ("[[3, 1000], [2, 8]]", "max", "fractions and large values", NUMBERS, NUMBERS),
)


def test_a_tree_is_about_what_the_right_search_meets_there():
    for nested, root, alphabeta, *others in ABOUT_A_TREE:
        minimax, best_move = [*others, None, None][:2]
        moves = f"{root.upper()} moves first"
        assert concept(nested, "alphabeta", root) == alphabeta, nested
        assert concept(nested, "minimax", root) == (minimax or moves), nested
        if best_move != "":  # of a leaf no move is asked
            assert concept(nested, "best_move", root) == (best_move or moves), nested


def test_a_window_counts_before_depth_and_depth_before_what_the_leaves_hold():
    for function in WEIGHTS:
        about = concept(STATICS, function, searches="[{depth: 1}]")
        assert about == "depth and static values"
    window = "[{depth: 1, alpha: 2, beta: 5}]"
    assert concept(STATICS, searches=window) == "a window that is given"


def test_a_game_is_a_game_and_a_file_may_say_what_it_is_about():
    tree = parse_tree("game: {name: coins, coins: 5}\n", "coins")
    assert {concept_of(task) for task in tasks_of(tree)} == {"games"}
    text = "concept: ties\nroot: max\ntree: [[3, 9], [2, 8]]\n"
    concepts = [concept_of(task) for task in tasks_of(parse_tree(text, "said"))]
    assert concepts == ["MAX moves first", "ties", "MAX moves first"]


def test_every_function_has_few_concepts_each_with_a_line_of_its_own():
    names = [*itertools.chain.from_iterable(WEIGHTS.values())]
    assert set(names) == set(ABOUT)
    assert len(names) <= MAX_ROWS
    assert not any("cut" in name for name in (*WEIGHTS["minimax"], *WEIGHTS["best_move"]))


def test_the_kits_own_set_has_enough_trees_of_every_concept_and_round_points():
    rows = prepare().rows
    assert {(r.function, r.concept) for r in rows} == {
        (function, name) for function, names in WEIGHTS.items() for name in names
    }
    assert [row.name for row in rows if len(row.trees) < FEWEST] == []
    assert [row.name for row in rows if row.max_cents % 50] == []


def graded(source, *trees):
    """The rows of trusted source, of the functions that it defines."""
    functions = [name for name in WEIGHTS if f"def {name}(" in source]
    tasks = tasks_of(*trees, functions=functions)
    verdicts = [judge(task, trace_of(source, task)) for task in tasks]
    return score_rows(plan_rows(tasks, RUBRIC, ()), verdicts, RUBRIC)


def test_a_row_has_the_trees_of_its_concept_and_what_each_earns():
    trees = tree_of("[[3, 9], [3, 8]]", name="tie"), tree_of("[3, [3]]", name="none")
    (row,) = [row for row in graded(NO_CUTOFF, *trees) if row.name == "alphabeta: ties"]
    assert [on_tree.tree.name for on_tree in row.trees] == ["tie"]
    assert row.trees[0].earned == Fraction(15, 100)
    assert row.cents == round(row.max_cents * Fraction(15, 100))


def test_an_aspect_earns_only_with_those_before_it():
    source = NO_CUTOFF.replace("max(values) if", "1 + max(values) if")
    (row,) = graded(source, tree_of("[3, 9]"))
    (verdict,) = row.verdicts
    assert verdict.aspects == {"value": False, "leaves": True, "node count": True}
    assert row.cents == 0


def test_the_worst_search_of_a_tree_counts():
    windows = "[{alpha: 0, beta: 20}, {alpha: 3, beta: 5}]"
    (row,) = graded(NO_CUTOFF, tree_of("[[1, 9], [6, 8]]", searches=windows))
    (on_tree,) = row.trees
    parts = [earned(RUBRIC, verdict) for verdict in on_tree.verdicts]
    assert on_tree.earned == min(parts) < max(parts)


def test_a_public_tree_is_in_the_row_of_public_trees():
    rows = plan_rows(tasks_of(tree_of("[3, 9]")), RUBRIC, {"tree"})
    assert {row.concept for row in rows} == {PUBLIC}
    assert sum(row.max_cents for row in rows) == 10_000


def test_weights_of_the_rubric_move_points_between_rows():
    trees = tree_of("[[3, 9], [3, 8]]", name="tie"), tree_of("[3, 9]", name="none")
    tasks = tasks_of(*trees, functions=("alphabeta",))
    heavy = {**RUBRIC.weights["alphabeta"], "ties": Fraction(6)}
    rubric = replace(RUBRIC, weights={**RUBRIC.weights, "alphabeta": heavy})
    worth = {row.concept: row.max_cents for row in plan_rows(tasks, rubric, ())}
    assert worth == {"where nothing may be cut off": 1500, "ties": 4500}
