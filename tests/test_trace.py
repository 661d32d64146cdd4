"""What is observed of a search: visited leaves and node count."""

from gametree.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.tree import Search

ROOT, B, C, B1, B2 = (), (0,), (1,), (0, 0), (0, 1)


def trace(*events):
    search = Search(depth=2, maximizing=True)
    return Trace("minimax", search, list(events), Answer(), Ending())


def expand(path):
    return (EXPAND, path)


def evaluate(path):
    return (EVALUATE, path)


def test_a_search_of_one_leaf_visits_one_node():
    assert trace(evaluate(ROOT)).node_count == 1


def test_reading_children_three_times_in_a_row_counts_once():
    assert trace(expand(ROOT), expand(ROOT), expand(ROOT)).node_count == 1


def test_evaluating_a_leaf_twice_in_a_row_counts_once():
    assert trace(expand(ROOT), evaluate(B), evaluate(B)).node_count == 2


def test_reading_children_again_between_two_children_opens_no_new_visit():
    events = [expand(ROOT), evaluate(B), expand(ROOT), evaluate(C), expand(ROOT)]
    assert trace(*events).node_count == 3


def test_searching_a_subtree_again_counts_its_leaves_again():
    subtree = [expand(B), evaluate(B1), evaluate(B2)]
    assert trace(expand(ROOT), *subtree, *subtree).node_count == 6


def test_coming_back_to_a_subtree_after_its_sibling_counts_it_again():
    events = [expand(ROOT), expand(B), evaluate(B1), evaluate(C), expand(B)]
    assert trace(*events).node_count == 5


def test_an_explicit_stack_that_jumps_between_subtrees_counts_the_same():
    """A leaf reached without touching its parent again leaves the parent closed."""
    events = [expand(ROOT), expand(B), expand(C), evaluate(B1), evaluate(B2)]
    assert trace(*events).node_count == 5


def test_visited_leaves_are_the_evaluated_nodes_each_once():
    seen = trace(expand(ROOT), evaluate(B), evaluate(C), evaluate(B))
    assert seen.visited == {B, C}
    assert seen.evaluated == [B, C, B]
