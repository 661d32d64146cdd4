"""A tree file says what is loaded, is written back as it was, or gives one clear line."""

import math
import pickle
import re
import tracemalloc
from pathlib import Path
from string import ascii_uppercase

import pytest
from helpers import ROOT, tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.smalltrees.build import describe_root, dump_tree, tree_from_lists
from gametree import Published, Search, Tree, TreeError, load_tree, load_trees, parse_tree
from gametree.support.lazy import LazyPosition

INVALID = ROOT / "trees" / "invalid"
EXPECTED = {
    line.split(".yaml")[0]: line
    for line in (INVALID / "expected.txt").read_text(encoding="utf-8").splitlines()
}
TEXTS = [
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "trees").glob("*/*.yaml"))
    if path.stem not in ("utf-16", "latin-1")
]


def outcome(text):
    """Return what becomes of a text: the tree, written again, or the error."""
    try:
        return dump_tree(parse_tree(text, "x.yaml"))
    except TreeError as error:
        return error


def error_of(path):
    """Return the line of the file or folder that cannot be loaded."""
    with pytest.raises(TreeError) as caught:
        (load_trees if path.is_dir() else load_tree)(path)
    return str(caught.value)


def names(root):
    """Return the names of a tree, row by row."""
    return [p.name for p in sorted(root.subtree(), key=lambda p: (len(p.path), p.path))]


def test_nodes_are_named_by_the_file_or_as_in_the_courses_drawings():
    row = [*ascii_uppercase, *["AA", "AB", "AC", "AD", "AE"]]
    thirty = [*row, *(f"{name.lower()}1" for name in row[1:])]
    for tree, named in {
        "[[3, [1, 2]], 7, [5, 6]]": "A B a2 C b1 D c1 c2 d1 d2",
        "{C: [1, [2]], b: [3], B: {A: 4, c1: 5}}": "Root C b B c1' D b1 A c1 d1",
        "{left: {a: 3, b: 12}, r: [4, {value: 6, children: [1]}]}": "A left r a b r1 B b1",
        '{"y": 3, "no": 4}': "A y no",  # words that YAML takes for true and false
        str([[n] for n in range(30)]): " ".join(thirty),
    }.items():
        assert names(parse_tree(f"root: max\ntree: {tree}\n", "x").root) == named.split()
    tree = parse_tree("root: min\ntree: [4, {value: 6, children: [1]}]\n", "x")
    assert tree.root.at((1,)).value == 6 and not tree.maximizing


def test_a_search_says_how_deep_for_whom_within_which_window_and_what_is_published():
    assert tree_of([[1, 2], [3, [4]]], "min").searches == (Search(3, False),)
    tree = tree_of([[1], 2], searches="[{}, {depth: 9, player: min}, {alpha: 1, beta: 2}]")
    assert tree.searches == (Search(2, True), Search(9, False), Search(2, True, 1, 2))
    tree = tree_of([[3, 5], [2, 9]], searches="[{published: {pruned: [c2], move: B}}]")
    published = tree.searches[0].published
    assert published == Published(pruned=frozenset({(1, 1)}), move=(0,))
    text = "root: max\ntree: [3, 5]\nsearches: [{}, {alpha: 1}]\npublished: {value: 5}\n"
    first, second = parse_tree(text, "x").searches  # that of the file is the first one's
    assert (first.published.value, second.published.value) == (5, None)


def test_a_file_needs_no_title_and_no_lesson():
    tree = parse_tree("root: max\ntree: 4\n", "four")
    assert (tree.title, tree.lesson, tree.root.terminal) == ("four", "", True)


def test_a_malformed_file_gives_its_line(monkeypatch):
    monkeypatch.chdir(INVALID)
    given = {path.stem: error_of(path) for path in Path().glob("*.yaml")}
    assert given == EXPECTED
    assert max(map(len, given.values())) < 180


def test_a_slip_is_found_by_its_file_its_line_and_its_nearest_named_ancestor(tmp_path):
    for text, place in (
        ("title: t\n# c\n\nroot: max\ntree:\n  B: [1, 2]\n  C: [3, four]\n",
         "line 7, child 2 of node C"),
        ("root: max\ntree: {C: [[1, [x]]]}\n", "line 2, child 1.2.1 of node C"),
        ("# one\n# two\nroot: max\n# four\ntree: [1, 2\npublished: {}\n", "line 6"),
    ):  # fmt: skip
        assert str(outcome(text)).startswith(f"x.yaml, {place}: ")
    path = tmp_path / "a slip.yaml"
    path.write_text("root: max\ntree: [3, [x, 4]]\n")
    assert error_of(path).startswith(f"{path}, line 2, child 2.1 of the root: ")
    error = pickle.loads(pickle.dumps(outcome(path.read_text())))
    assert (error.file, error.line, error.node) == ("x.yaml", 2, "child 2.1 of the root")


def test_what_is_nested_too_deep_is_refused_and_ninety_plies_are_not():
    for brackets in ("[", "{B: ", "- "):
        for levels in (250, 1_000):
            text = f"root: max\ntree: \n  {brackets * levels}1"
            assert re.search("nested deeper|before this", str(outcome(text))), brackets
    assert "nested deeper" in str(outcome(f"root: max\ntree: {'[' * 250}1{']' * 250}"))
    tree = parse_tree(f"root: max\ntree: {'[' * 90}1{']' * 90}\n", "x")
    assert tree.searches[0].depth == 90


def test_a_file_of_fifty_megabytes_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.write(b"root: max\ntree: [1, 2]\n")
        file.truncate(50_000_000)
    tracemalloc.start()
    with pytest.raises(TreeError, match=r"large.yaml: the file is larger than 250,000"):
        load_tree(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_folder_loads_in_the_order_of_file_names_without_hidden_files(tmp_path):
    assert "no tree file (.yaml)" in error_of(tmp_path)
    for name in ("b", "a", "c", "._a"):
        (tmp_path / f"{name}.yaml").write_text("root: max\ntree: [1, 2]\n")
    assert [tree.name for tree in load_trees(tmp_path)] == ["a", "b", "c"]
    (tmp_path / "a.yml").touch()
    assert "a.yml: tree files end in .yaml: rename it" in error_of(tmp_path)
    assert "nowhere.yaml: No such file" in error_of(tmp_path / "nowhere.yaml")
    with pytest.raises(TreeError, match="no such folder"):
        load_trees(tmp_path / "nowhere")
    with pytest.raises(TreeError, match="directory"):
        load_tree(tmp_path)


def test_what_editors_do_to_a_file_does_not_matter(tmp_path):
    path = tmp_path / "tree.yaml"
    for data in (
        b"root: max\r\ntree: [[1, 2],\r\n  [3, 4]]\r\n",
        b"\xef\xbb\xbfroot: max\ntree: [[1, 2], [3, 4]]\n",
        b"root: max\ntree: [[1, 2], [3, 4]]",
        b"# a comment\nroot: max  # another\ntree:\n- [1, 2]\n- - 3\n  - 4\n",
    ):
        path.write_bytes(data)
        assert "tree: [[1, 2], [3, 4]]" in dump_tree(load_tree(path)), data


def test_a_plain_number_is_a_value():
    for number in ("3", "-3", "+3", "0.5", ".5", "-2.", "0", "-0.25"):
        value = parse_tree(f"root: max\ntree: [{number}, 7]\n", "x").root.children[0].value
        assert value == float(number)
        assert isinstance(value, float) == ("." in number)


def test_a_very_long_word_is_cut_in_the_line():
    for tree in ("!{} 1", "!{}!y 1", "*{}", "{{{0}: 1, {0}: 2}}", "[{}]", "{{{}: 1}}"):
        line = str(outcome(f"root: max\ntree: {tree.format('x' * 900)}\n"))
        assert "xxx" in line and len(line) < 160


@given(st.sampled_from(TEXTS), st.data())
@settings(max_examples=120, deadline=None)
def test_a_damaged_file_is_a_tree_or_one_line(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    damaged = text[:start] + data.draw(st.text("[]{}:,-#&*'\"\n \t0a.~!", max_size=3))
    told = outcome(damaged + text[end:])
    assert isinstance(told, str) or "\n" not in str(told) and len(str(told)) < 300


def parts(tree):
    """Return everything that a file can say of a tree."""
    if isinstance(tree.root, LazyPosition):
        nodes = describe_root(tree.root)
    else:
        nodes = [(p.path, p.name, p.value, type(p.value)) for p in tree.root.subtree()]
    figures = [search.published for search in tree.searches]
    texts = tree.title, tree.lesson, tree.source
    return texts, tree.maximizing, tree.searches, figures, nodes


def test_every_tree_of_the_kit_is_written_back_as_it_was():
    for tree in (*load_trees(ROOT / "trees/public"), *load_trees(ROOT / "trees/hidden")):
        assert parts(parse_tree(dump_tree(tree), tree.name)) == parts(tree)


NUMBERS = st.integers(1 - 10**9, 10**9 - 1) | st.floats(-999_999_999, 999_999_999)
LISTS = st.recursive(NUMBERS, lambda below: st.lists(below, min_size=1, max_size=4))
WORDS = "yes y n No on null left Pong é ö.2 x' x-y"
NAMES = st.lists(st.sampled_from(WORDS.split()), unique=True)
TITLES = st.text("aZé 3:#-'\"\\[]{}&*!|>%@`,?y~", min_size=1, max_size=60).map(str.strip)


@st.composite
def trees(draw):
    """Draw a tree: sometimes named, with static values, searches and figures."""
    maximizing, static = draw(st.booleans()), draw(st.booleans())
    root, names = tree_from_lists(draw(LISTS), maximizing).root, draw(NAMES)
    for position in root.subtree():
        if position.path and names:
            position.name = names.pop()
        if static and not position.terminal:
            position.value = draw(NUMBERS)
    leaves = [each.path for each in root.subtree() if each.terminal]
    value, count = draw(st.none() | NUMBERS), draw(st.none() | st.integers(1, 99))
    some = draw(st.none() | st.frozensets(st.sampled_from(leaves)))
    figures = Published(value=value, leaves=some, evaluations=count)
    alpha = draw(st.just(-math.inf) | NUMBERS.filter(lambda n: n < 999_999_997))
    whole = Search(root.height, maximizing, published=figures)
    searches = whole, Search(root.height + 1, not maximizing, alpha, 999_999_998)
    return Tree("t", draw(TITLES.filter(bool)), "lesson", root, maximizing, searches)


@given(trees())
@settings(max_examples=80, deadline=None)
def test_any_tree_is_written_and_read_back(tree):
    assert parts(parse_tree(dump_tree(tree), "t")) == parts(tree)


def test_what_is_written_keeps_to_the_width_of_a_page():
    leaves = [[[[n, -n, n * 1000] for n in range(9)] for _ in range(3)] for _ in range(2)]
    every = ", ".join(f"{name}{n}" for name in "lmnop" for n in (1, 2, 3))
    searches = f"[{{published: {{value: 0, leaves: [{every}]}}}}]"
    written = dump_tree(tree_of(leaves, searches=searches)).splitlines()
    assert len(written) > 15
    assert max(map(len, written)) <= 80
