"""What is observed of a search: visited leaves and node count."""

import pytest

from gametree.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.tree import Search


def leaf(*path):
    return (EVALUATE, path)


ROOT, B, C = (EXPAND, ()), (EXPAND, (0,)), (EXPAND, (1,))
LEAVES = [leaf(0, 0), leaf(0, 1)]  # those below B


@pytest.mark.parametrize(
    "events, nodes",
    [
        pytest.param([leaf()], 1, id="one leaf"),
        pytest.param([ROOT, ROOT, ROOT], 1, id="children three times in a row"),
        pytest.param([ROOT, leaf(0), leaf(0)], 2, id="a leaf twice in a row"),
        pytest.param(
            [ROOT, leaf(0), ROOT, leaf(1), ROOT], 3, id="children between two children"
        ),
        pytest.param(
            [ROOT, B, *LEAVES, B, *LEAVES], 6, id="a subtree again: its leaves again"
        ),
        pytest.param(
            [ROOT, B, leaf(0, 0), leaf(1), B], 5, id="back after the sibling: again"
        ),
        pytest.param(
            [ROOT, B, C, *LEAVES], 5, id="a stack's jump leaves the parent closed"
        ),
    ],
)
def test_a_visit_of_a_node_lasts_until_an_event_falls_outside_its_subtree(events, nodes):
    trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
    assert trace.node_count == nodes


def test_visited_leaves_are_the_evaluated_nodes_each_once():
    events = [ROOT, leaf(0), leaf(1), leaf(0)]
    trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
    assert trace.visited == {(0,), (1,)}
    assert trace.evaluated == [(0,), (1,), (0,)]
