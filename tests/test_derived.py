"""A mistake of alphabeta is known in minimax too, made of the same text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, ROOT, tasks_of

from autograder.kit import load_kit
from autograder.mistakes.derived import without_window
from autograder.mistakes.variants import load_variant
from autograder.smalltrees.families import random_trees
from autograder.workbench.killmatrix import failures

REFERENCE = REFERENCE_SOURCE.decode()


@pytest.fixture(scope="module")
def derived():
    """Every mistake that has no file of its own, by name."""
    variants = load_kit().library.variants
    stems = {Path(variant.path).stem for variant in variants}
    return {v.name: v for v in variants if v.name[:8] == "minimax_" and v.name not in stems}


def text(name, folder="mistakes"):
    return load_variant(ROOT / "solution" / folder / f"{name}.py").source


def test_a_search_without_its_window_is_a_minimax():
    turned = without_window(REFERENCE.replace(", pruning outside (alpha, beta)", ""))
    assert "def minimax(node, depth, maximizing):" in turned
    assert not re.search(r"\b(alpha|beta|alphabeta|break)\b", turned)


@pytest.mark.parametrize("style", ("negamax", "max_and_min_functions", "index_loop"))
def test_helpers_lose_their_windows_too(style):
    turned = without_window(text(style, "correct"))
    assert turned and not re.search(r"\b(alpha|beta)\b", turned)


@pytest.mark.parametrize("name", ("returns_alpha", "stack_keeps_player"))
def test_what_needs_a_window_gives_no_minimax(name):
    assert without_window(text(name)) == ""


def test_a_mistake_about_cutoffs_is_none_of_minimax(derived):
    about_windows = {"minimax_strict_cutoff", "minimax_no_cutoff", "minimax_alpha_is_best"}
    assert not about_windows & set(derived)
    assert {"minimax_infinity_is_9999", "minimax_player_toggled_in_loop"} <= set(derived)


def test_each_is_wrong_in_minimax_alone_and_says_nothing_of_windows(derived):
    tasks = tasks_of(*random_trees(60, seed=11))
    for mistake in derived.values():
        assert not re.search(r"alpha|beta|cutoff", mistake.headline + mistake.next_step)
        wrong = {verdict.task.function for verdict in failures(mistake, tasks)}
        assert wrong - {"best_move"} == {"minimax"}, mistake.name
