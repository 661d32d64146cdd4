"""`make tree` makes one tree file to order, the same for the same order."""

import pytest
from helpers import reference

from autograder.command import Refused
from autograder.judging.divergence import LEAF, replay
from autograder.workbench import onetree
from autograder.workbench.figures import mismatches
from gametree import load_tree


def made(path, *more, depth=3, branching=2):
    """Make a tree at the path; return it, loaded."""
    size = ["--depth", str(depth), "--branching", str(branching)]
    assert onetree.main([*size, "--out", str(path), *more]) == 0
    return load_tree(path)


def leaves(tree):
    """Return the values of the leaves, left to right."""
    return [position.value for position in tree.root.subtree() if position.terminal]


def pruned(tree):
    steps = replay(tree, tree.searches[0])
    return 1 - sum(step.kind == LEAF for step in steps) / len(leaves(tree))


def test_a_tree_has_the_depth_the_branching_and_the_root_asked_for(tmp_path):
    tree = made(tmp_path / "a.yaml", "--root", "min", depth=2, branching=3)
    assert not tree.maximizing
    assert [len(child.children) for child in tree.root.children] == [3, 3, 3]
    assert tree.searches[0].depth == 2


def test_the_same_order_gives_the_same_file_and_another_seed_another(tmp_path):
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        made(tmp_path / name, "--seed", seed, "--pruned", "30")
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_its_published_figures_are_the_references(tmp_path):
    tree = made(tmp_path / "a.yaml", "--ties", "yes")
    published = tree.searches[0].published
    assert None not in (published.value, published.leaves, published.nodes, published.move)
    assert list(mismatches([tree], reference())) == []


@pytest.mark.parametrize("share", [0, 10, 25, 40, 50])
def test_the_share_pruned_is_met_to_within_half_a_leaf(tmp_path, share, capsys):
    tree = made(tmp_path / "a.yaml", "--pruned", str(share), depth=4)
    assert abs(pruned(tree) - share / 100) <= 0.5 / 16
    assert f"{pruned(tree):.0%} of the leaves are pruned;" in capsys.readouterr().out


def test_a_share_that_cannot_be_is_refused_with_the_nearest_and_no_file(tmp_path):
    path = tmp_path / "a.yaml"
    with pytest.raises(Refused) as caught:
        made(path, "--pruned", "90")
    assert str(caught.value) == (
        "PRUNED=90 is out of reach: 38 % came nearest, and no tree of this size has over "
        "38 % pruned; write PRUNED=38, or another SEED"
    )
    assert not path.exists()
    made(path, "--pruned", "38")


def test_best_order_prunes_all_that_can_be_pruned(tmp_path):
    tree = made(tmp_path / "a.yaml", "--order", "best", depth=4)
    assert pruned(tree) == 1 - (4 + 4 - 1) / 16  # Knuth and Moore, 1975


def test_worst_order_prunes_nothing(tmp_path):
    assert pruned(made(tmp_path / "a.yaml", "--order", "worst", depth=4)) == 0


@pytest.mark.parametrize("order", ["random", "best", "worst"])
def test_without_ties_all_leaves_differ(tmp_path, order):
    values = leaves(made(tmp_path / "a.yaml", "--order", order))
    assert sorted(values) == list(range(1, 9))


def test_with_ties_one_meets_a_bound(tmp_path, capsys):
    tree = made(tmp_path / "a.yaml", "--ties", "yes")
    assert len(set(leaves(tree))) < 8
    assert "a tie meets a bound" in capsys.readouterr().out


def test_a_file_is_never_overwritten_without_force(tmp_path):
    path = tmp_path / "a.yaml"
    made(path)
    before = path.read_bytes()
    with pytest.raises(Refused, match="write FORCE=1 to replace it"):
        made(path, "--seed", "9")
    assert path.read_bytes() == before
    made(path, "--seed", "9", "--force")
    assert path.read_bytes() != before


@pytest.mark.parametrize(
    "more, reason",
    [
        (["--depth", "0"], "DEPTH: write a whole number from 1 to 9, not '0'"),
        (["--depth", "deep"], "DEPTH: write a whole number from 1 to 9, not 'deep'"),
        (["--depth", "9", "--branching", "4"], "leaves are too many"),
        (["--order", "good"], "ORDER: invalid choice: 'good' (choose from"),
        (["--ties", "1"], "TIES: invalid choice: '1' (choose from"),
        (["--root", "MAX"], "ROOT: invalid choice: 'MAX' (choose from"),
        (["--pruned", "101"], "PRUNED: write a whole number from 0 to 100, not '101'"),
        (["--pruned", "40", "--order", "best"], "leave PRUNED or ORDER out"),
        (["--ties", "yes", "--order", "worst"], "leave one of them out"),
    ],
)
def test_a_wrong_order_is_refused_in_one_line(tmp_path, more, reason):
    arguments = ["--depth", "3", "--branching", "2", "--out", str(tmp_path / "a"), *more]
    with pytest.raises(Refused) as caught:
        onetree.main(arguments)
    assert reason in str(caught.value) and "\n" not in str(caught.value)
    assert not (tmp_path / "a").exists()
