"""A quick sample of the long random runs; `python tests/fuzz.py --help` tells of those."""

import pytest
from fuzz import check_results, check_trees, mutated, seeds_of_trees
from fuzz_frames import Model, check_frames
from peer import answer, evaluate, expand

from autograder.results import write_results
from gametree import parse_tree
from gametree.trace import RETURNED

SEED = 20


def test_twenty_thousand_random_frames_make_no_wrong_visit():
    searches, endings = check_frames(20_000, SEED)
    assert searches > 100
    assert len(endings) == 5 and min(endings.values()) > 10


def test_the_model_knows_an_honest_search():
    tree = parse_tree("title: t\nlesson: l\nroot: max\ntree: [3, [1]]\n", "t")
    events, ending, value, _ = Model(expand(0) + evaluate(1) + answer(3)).search(tree)
    assert ([path for _, path in events], ending, value) == ([(), (0,)], RETURNED, 3)


def test_three_hundred_mutated_tree_files_load_or_are_refused_in_a_line():
    loaded, refused, _ = check_trees(300, SEED)
    assert loaded > 10 and refused > 10


def test_mutations_are_the_same_again_from_the_same_seed():
    import random

    corpus = seeds_of_trees()
    first, second = (mutated(random.Random(3), corpus) for _ in range(2))
    assert first == second


def test_thirty_random_gradings_are_written_as_gradescope_reads_them():
    assert check_results(30, SEED) == 30


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_no_number_that_is_no_json_gets_into_the_results(number, tmp_path):
    with pytest.raises(ValueError):
        write_results(tmp_path / "results.json", {"score": number, "tests": []})
    assert list(tmp_path.iterdir()) == []
