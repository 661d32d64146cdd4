"""What is observed of a search: visited leaves and node count."""

from gametree.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.tree import Search


def leaf(*path):
    return (EVALUATE, path)


ROOT, B, C = (EXPAND, ()), (EXPAND, (0,)), (EXPAND, (1,))
LEAVES = [leaf(0, 0), leaf(0, 1)]  # those below B


def test_a_visit_of_a_node_lasts_until_an_event_falls_outside_its_subtree():
    for what, events, nodes in (
        ("one leaf", [leaf()], 1),
        ("children three times in a row", [ROOT, ROOT, ROOT], 1),
        ("a leaf twice in a row", [ROOT, leaf(0), leaf(0)], 2),
        ("children between two children", [ROOT, leaf(0), ROOT, leaf(1), ROOT], 3),
        ("a subtree again: its leaves again", [ROOT, B, *LEAVES, B, *LEAVES], 6),
        ("back after the sibling: again", [ROOT, B, leaf(0, 0), leaf(1), B], 5),
        ("a stack's jump leaves the parent closed", [ROOT, B, C, *LEAVES], 5),
    ):
        trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
        assert trace.node_count == nodes, what


def test_visited_leaves_are_the_evaluated_nodes_each_once():
    events = [ROOT, leaf(0), leaf(1), leaf(0)]
    trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
    assert trace.visited == {(0,), (1,)}
    assert trace.evaluated == [(0,), (1,), (0,)]
