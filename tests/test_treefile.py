"""A tree file is loaded and written back unchanged, or is refused with one clear line."""

import os
import tracemalloc
from pathlib import Path

import pytest
from helpers import ROOT, cases, kit_text, refusal_of, tree_of, trees_in

from autograder.smalltrees.build import dump_tree
from autograder.workbench.package import without_figures
from gametree import TreeError, load_tree, load_trees, parse_tree
from gametree.support import treefile

INVALID = ROOT / "trees" / "invalid"
EXPECTED = (INVALID / "expected.txt").read_text().splitlines()


def parse(text):
    """Return the tree of a text, as if it were the file x.yaml."""
    return parse_tree(text, "x.yaml")


def error_in(text):
    """Return the error in a text that is not a valid tree file."""
    return refusal_of(parse, text)


def error_of(path):
    """Return the error in a file or folder that cannot be loaded."""
    return refusal_of(load_trees if path.is_dir() else load_tree, path)


# Names of nodes


def names(nested):
    """Return the names of a tree, row by row."""
    root = tree_of(nested).root
    row_by_row = sorted(root.subtree(), key=lambda position: len(position.path))
    return " ".join(position.name for position in row_by_row)


@cases("names of nodes")
def test_nodes_get_names(nested, expected):
    assert names(nested) == expected


def test_after_z_comes_aa():
    assert " Y Z AA AB AC b1 c1 " in names([[1]] * 28)


# The tree and its searches


def test_the_static_value_of_an_interior_node_is_zero_by_default():
    tree = parse("root: min\ntree: [[1, 2], {value: 6, children: [1]}]\n")
    assert [child.static_value() for child in tree.root.children] == [0, 6]
    assert not tree.maximizing


def test_a_repeated_search_differs_from_the_first():
    tree = parse("root: max\ntree: [1, 2]\nsearches: [{}, {}, {beta: 5}]")
    first, repeated, beta = tree.searches
    assert repeated == first._replace(earlier=1) != first
    assert repeated.arguments("alphabeta") == first.arguments("alphabeta")
    assert beta.earlier == 0


@cases("errors in tree files")
def test_an_error_names_the_problem(text, problem):
    assert problem in error_in(text)


def test_a_number_of_five_thousand_digits_is_out_of_range():
    line = error_in(f"root: max\ntree: {'9' * 5000}\n")
    assert f"10^9, not {'9' * 20}" in line


# Limits of a file


@cases("limits of tree files")
def test_the_limit_is_accepted_and_one_more_is_refused(text, limit, problem):
    assert parse(limited(text, limit))
    assert problem in error_in(limited(text, limit + 1))


def limited(text, size):
    """Replace {n} by the size, and {x} and brackets by that many characters."""
    return text.format(n=size, x="x" * size, opened="[" * size, closed="]" * size)


def test_a_file_at_the_size_limit_is_loaded_and_a_larger_file_is_not_read(tmp_path):
    path = tmp_path / "large.yaml"
    text = "root: max\ntree: 4\n"
    path.write_text(text.ljust(treefile.MAX_BYTES, "#"))
    assert load_tree(path).root.value == 4
    for size in (treefile.MAX_BYTES + 1, 50_000_000):
        os.truncate(path, size)
        tracemalloc.start()
        assert "large.yaml: the file is larger than 250,000 bytes" in error_of(path), size
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2_000_000, size


# Malformed files


def test_each_malformed_file_has_the_expected_error(monkeypatch):
    monkeypatch.chdir(INVALID)
    assert [error_of(path) for path in sorted(Path().glob("*.yaml"))] == EXPECTED
    assert [line for line in EXPECTED if len(line) >= 180] == []


@pytest.mark.parametrize(
    "nested", ["!{} 1", "!{}!y 1", "*{}", "{{{0}: 1, {0}: 2}}", "[{}]", "{{{}: 1}}"]
)
def test_a_very_long_word_is_cut_in_the_error(nested):
    line = error_in(f"root: max\ntree: {nested.format('x' * 900)}\n")
    assert "xxx" in line
    assert len(line) < 160


# Folders


@pytest.fixture
def folder(tmp_path):
    """Return a folder of tree files, with a hidden file that macOS adds."""
    for name in ("b", "a", "c", "._a"):
        (tmp_path / f"{name}.yaml").write_text("root: max\ntree: [1, 2]\n")
    (tmp_path / "notes.txt").touch()
    return tmp_path


def test_a_folder_is_loaded_by_file_name_without_hidden_files(folder):
    assert [tree.name for tree in load_trees(folder)] == ["a", "b", "c"]


@pytest.mark.parametrize("name", ["d.yml", "d.YAML", "d.yaml.txt"])
def test_a_file_that_is_almost_named_like_a_tree_file_is_refused(folder, name):
    (folder / name).touch()
    line = f"{name}: the name of a tree file ends in .yaml: rename the file"
    assert line in error_of(folder)


def test_files_and_folders_that_do_not_exist_are_refused(tmp_path):
    assert "no tree file (.yaml)" in error_of(tmp_path)
    nowhere = tmp_path / "nowhere"
    assert "nowhere: No such file" in error_of(nowhere)
    with pytest.raises(TreeError, match="no such folder"):
        load_trees(nowhere)
    with pytest.raises(TreeError, match="directory"):
        load_tree(tmp_path)


# Loading and writing


@cases("files as they are written")
def test_a_file_is_loaded_and_written_in_one_form(text, written, tmp_path):
    path = tmp_path / "tree.yaml"
    path.write_bytes(text.encode())
    assert dump_tree(load_tree(path)) == f"title: tree\nlesson: ''\n{written}\n"


def contents(tree):
    """Return everything about a tree that a file can contain, except published figures."""
    nodes = [(p.path, p.name, p.value, type(p.value)) for p in tree.root.subtree()]
    return tree.title, tree.lesson, tree.maximizing, tree.searches, nodes


@cases("trees that are difficult to write")
def test_a_difficult_tree_is_written_and_loaded_unchanged(text):
    tree = parse(text)
    for written in (dump_tree(tree), without_figures(text)):
        assert contents(parse(written)) == contents(tree)


def test_every_hidden_tree_of_the_kit_is_written_and_loaded_unchanged():
    for tree in trees_in("hidden"):
        loaded = parse_tree(dump_tree(tree), tree.name)
        assert contents(loaded) == contents(tree), tree.name


def test_every_public_tree_of_the_kit_loads_unchanged_without_its_figures():
    for tree in trees_in("public"):
        text = kit_text(f"trees/public/{tree.name}.yaml")
        loaded = parse_tree(without_figures(text), tree.name)
        assert contents(loaded) == contents(tree), tree.name
        assert not any(loaded.published.values())
