"""The ladder of small trees on which counterexamples are sought, smallest first."""

from __future__ import annotations

from helpers import reference

from autograder.smalltrees.enumeration import Ladder, single_children, small_trees


def size(position):
    nodes = list(position.subtree())
    return sum(node.terminal for node in nodes), len(nodes)


def test_plain_trees_come_in_order_of_size_none_twice_and_always_the_same():
    trees = list(small_trees())
    names = [tree.name for tree in trees]
    assert len(set(names)) == len(names) < 5000
    assert names == [tree.name for tree in small_trees()]
    plain = [tree for tree in trees if set(tree.name) <= set("MAXIN [],123")]
    sizes = [size(tree.root) for tree in plain]
    assert sizes == sorted(sizes) and sizes[-1][0] == 4


def test_the_ladder_holds_both_roots_windows_depth_limits_and_special_values():
    names = {tree.name for tree in small_trees()}
    wanted = {
        *("MAX 1", "MIN [1, [2, 1]]", "MAX [0]", "MIN [20001]", "MAX 0.25", "MAX [-1]"),
        *("MAX [1, [[[1, 1]]]]", "MIN [1, [[2, [1, 1]]]]", "MAX [1, 1, 1]"),
        "MAX [{value: 1, children: [2]}] {depth: 1}",
        "MAX [1, 1] {depth: 1, alpha: 0.5, beta: 1}",
        *("MIN [1, 2] {depth: 1, alpha: 1}", "MAX [1, 2] {depth: 1, beta: 2}"),
    }
    assert wanted - names == set()


def test_single_children_are_counted():
    shapes = ((), (((),),), ((), ((),)))
    assert [single_children(shape) for shape in shapes] == [0, 2, 1]


def test_the_ladder_keeps_its_tasks_for_the_next_submission():
    ladder = Ladder(reference())
    first = next(ladder.tasks("alphabeta"))
    assert next(ladder.tasks("alphabeta")) is first and first.function == "alphabeta"
