"""A slip in a tree file gives one line: where it is, what is wrong, what to write."""

import pickle
import tracemalloc

import pytest
import yaml
from helpers import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree.treefile
from autograder.smalltrees.build import dump_tree
from gametree import TreeError, load_tree, load_trees, parse_tree

INVALID = ROOT / "trees" / "invalid"
EXPECTED = {
    line.split(".yaml")[0]: line
    for line in (INVALID / "expected.txt").read_text(encoding="utf-8").splitlines()
}
PURE = (yaml.SafeLoader,)
QUICK = getattr(yaml, "CSafeLoader", None)
TEXTS = [
    path.read_text(encoding="utf-8")
    for folder in ("public", "hidden", "invalid")
    for path in sorted((ROOT / "trees" / folder).glob("*.yaml"))
    if path.stem not in ("utf-16", "latin-1")
]


@pytest.fixture(params=["the quick parser first", "the plain parser only"])
def loaders(request, monkeypatch):
    if request.param.endswith("only"):
        monkeypatch.setattr(gametree.treefile, "LOADERS", PURE)
    elif QUICK is None:
        pytest.skip("PyYAML is without libyaml here")


def slip(text):
    """Return the error of a text that is no tree file."""
    with pytest.raises(TreeError) as caught:
        parse_tree(text, "x.yaml")
    return str(caught.value)


def outcome(text):
    try:
        return dump_tree(parse_tree(text, "x.yaml"))
    except TreeError as error:
        return error


def test_every_malformed_file_has_an_expected_line_and_the_other_way_round():
    assert sorted(EXPECTED) == sorted(path.stem for path in INVALID.glob("*.yaml"))
    assert len(EXPECTED) >= 25


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_malformed_file_gives_its_line(name, loaders, monkeypatch):
    monkeypatch.chdir(INVALID)
    with pytest.raises(TreeError) as caught:
        load_tree(f"{name}.yaml")
    assert str(caught.value) == EXPECTED[name]


def test_an_error_line_is_short_and_one_line_only():
    for line in EXPECTED.values():
        assert len(line) < 180, line


def test_an_error_names_the_file_as_it_was_given(tmp_path):
    path = tmp_path / "a slip.yaml"
    path.write_text("root: max\ntree: [3, x]\n")
    with pytest.raises(TreeError) as caught:
        load_tree(path)
    assert str(caught.value).startswith(f"{path}, line 2, child 2 of the root: ")


def test_an_error_keeps_its_parts():
    error = pickle.loads(pickle.dumps(outcome("root: max\ntree: [3, [x, 4]]\n")))
    assert (error.file, error.line, error.node) == ("x.yaml", 2, "child 2.1 of the root")


@pytest.mark.parametrize("brackets", ["[", "{B: ", "[[", "- "])
def test_a_hundred_thousand_nested_lists_are_refused_quickly(brackets, tmp_path, loaders):
    path = tmp_path / "nested.yaml"
    path.write_text("root: max\ntree: \n  " + brackets * (100_000 // len(brackets)))
    with pytest.raises(TreeError, match="line 3: nested deeper than 200 levels"):
        load_tree(path)


def test_a_tree_of_ninety_plies_loads(loaders):
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


def test_a_file_that_is_missing_or_a_folder_is_refused(tmp_path):
    with pytest.raises(TreeError, match="nowhere.yaml: No such file"):
        load_tree(tmp_path / "nowhere.yaml")
    with pytest.raises(TreeError, match="directory"):
        load_tree(tmp_path)


def test_a_folder_without_tree_files_is_refused(tmp_path):
    with pytest.raises(TreeError, match="no such folder"):
        load_trees(tmp_path / "nowhere")
    with pytest.raises(TreeError, match=r"no tree file \(.yaml\)"):
        load_trees(tmp_path)


def test_a_file_that_ends_in_yml_is_not_overlooked(tmp_path):
    (tmp_path / "a.yml").write_text("root: max\ntree: [1, 2]\n")
    with pytest.raises(TreeError, match="a.yml: tree files end in .yaml: rename it"):
        load_trees(tmp_path)


def test_a_folder_loads_in_the_order_of_file_names_without_hidden_files(tmp_path):
    for name in ("b", "a", "c", "._a"):
        (tmp_path / f"{name}.yaml").write_text("root: max\ntree: [1, 2]\n")
    assert [tree.name for tree in load_trees(tmp_path)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "data",
    [
        b"root: max\r\ntree: [[1, 2],\r\n  [3, 4]]\r\n",
        b"\xef\xbb\xbfroot: max\ntree: [[1, 2], [3, 4]]\n",
        b"root: max\ntree: [[1, 2], [3, 4]]",
        b"# a comment\nroot: max  # another\ntree:\n- [1, 2]\n- - 3\n  - 4\n",
    ],
    ids=["CRLF", "BOM", "no last newline", "comments and blocks"],
)
def test_what_editors_do_to_a_file_does_not_matter(data, tmp_path, loaders):
    path = tmp_path / "tree.yaml"
    path.write_bytes(data)
    assert "tree: [[1, 2], [3, 4]]" in dump_tree(load_tree(path))


@pytest.mark.parametrize("number", ["3", "-3", "+3", "0.5", ".5", "-2.", "0", "-0.25"])
def test_a_plain_number_is_a_value(number, loaders):
    tree = parse_tree(f"root: max\ntree: [{number}, 7]\n", "x")
    value = tree.root.children[0].value
    assert value == float(number)
    assert isinstance(value, float) == ("." in number)


@pytest.mark.parametrize(
    "tree", ["!{} 1", "!{}!y 1", "&{} [1]", "*{}", "{{{0}: 1, {0}: 2}}"]
)
def test_a_very_long_word_is_cut_in_the_line(tree):
    line = slip(f"root: max\ntree: {tree.format('x' * 900)}\n")
    assert "xxx..." in line and len(line) < 160


def test_the_line_of_a_slip_is_right_behind_comments_and_empty_lines():
    assert ", line 7, child 2 of node C:" in slip(
        "title: t\n# c\n\nroot: max\ntree:\n  B: [1, 2]\n  C: [3, four]\n"
    )


def test_a_node_far_down_is_named_from_its_nearest_named_ancestor():
    assert "child 1.2.1 of node C:" in slip("root: max\ntree: {C: [[1, [x]]]}\n")


@given(st.sampled_from(TEXTS), st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_file_gives_the_same_line_on_both_parsers(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    damaged = text[:start] + data.draw(st.text("[]{}:,-#&*'\"\n \t0a.~", max_size=3))
    damaged += text[end:]
    found = [outcome(damaged)]
    kept, gametree.treefile.LOADERS = gametree.treefile.LOADERS, PURE
    try:
        found.append(outcome(damaged))
    finally:
        gametree.treefile.LOADERS = kept
    assert str(found[0]) == str(found[1])
    if isinstance(found[0], TreeError):
        assert "\n" not in str(found[0])
