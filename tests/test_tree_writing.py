"""What was loaded can be written again, and reads back as it was."""

import math

from helpers import ROOT, tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.smalltrees.build import described, dump_tree
from gametree import Published, Search, Tree, load_trees, parse_tree
from gametree.lazy import LazyPosition
from gametree.markup import Items, Scalar
from gametree.tree import Position
from gametree.treefile import read_tree


def nested(position):
    """Return all there is to say of a position, as nested tuples."""
    below = tuple(nested(child) for child in position.children)
    return position.path, position.name, position.value, type(position.value), below


def same(one, other):
    """Whether two trees are equal in everything that a file can say."""
    keys = ("title", "lesson", "source", "maximizing", "searches")
    figures = [[search.published for search in tree.searches] for tree in (one, other)]
    return (
        nested(one.root) == nested(other.root)
        and figures[0] == figures[1]
        and all(getattr(one, key) == getattr(other, key) for key in keys)
    )


def test_every_tree_of_the_kit_is_written_back_as_it_was():
    for tree in load_trees(ROOT / "trees/public") + load_trees(ROOT / "trees/hidden"):
        again = parse_tree(dump_tree(tree), tree.name)
        if isinstance(tree.root, LazyPosition):
            assert described(again.root) == described(tree.root)
            assert again.searches == tree.searches
        else:
            assert same(tree, again), dump_tree(tree)


NUMBERS = st.one_of(
    st.integers(1 - 10**9, 10**9 - 1),
    st.floats(-999_999_999, 999_999_999, allow_nan=False),
)
LISTS = st.recursive(NUMBERS, lambda below: st.lists(below, min_size=1, max_size=4))
WORDS = st.sampled_from(
    [
        "a",
        "b",
        "C",
        "D",
        "yes",
        "y",
        "n",
        "No",
        "on",
        "null",
        "left",
        "Pong",
        "e1",
        "é",
        "ö.2",
        "x'",
        "x-y",
    ]
)
TITLES = st.text("aZé 3:#-'\"\\[]{}&*!|>%@`,?y~", min_size=1, max_size=60).map(str.strip)


@st.composite
def trees(draw):
    """Draw a tree: sometimes named, with static values, searches and figures."""
    shape = draw(LISTS)
    given = draw(st.lists(WORDS, unique=True))
    static = draw(st.booleans())

    def position(shape, path):
        name = f"p{''.join(map(str, path))}" if path or not given else "A"
        if path and given:
            name = given.pop()
        if not isinstance(shape, list):
            return Position(path, name, shape)
        children = [position(each, (*path, index)) for index, each in enumerate(shape)]
        return Position(path, name, draw(NUMBERS) if static else None, children)

    def markup(shape):
        if isinstance(shape, list):
            return Items([markup(each) for each in shape], 1)
        return Scalar("0", 1, True)

    root = position(shape, ()) if given else read_tree(markup(shape))
    leaves = leaf_paths(root)
    depth = max(map(len, leaves))
    maximizing = draw(st.booleans())
    alpha = draw(st.one_of(st.just(-math.inf), NUMBERS.filter(lambda n: n < 999_999_997)))
    published = Published(
        draw(st.one_of(st.none(), NUMBERS)),
        draw(st.one_of(st.none(), st.frozensets(st.sampled_from(leaves)))),
        None,
        draw(st.one_of(st.none(), st.integers(1, 99))),
    )
    searches = [Search(depth, maximizing, published=published)]
    searches += [Search(depth + 1, not maximizing, alpha, 999_999_998)]
    title = draw(TITLES.filter(bool))
    return Tree("t", title, "lesson", root, maximizing, tuple(searches))


def leaf_paths(position):
    """Return the paths of the leaves below a position."""
    if position.terminal:
        return [position.path]
    return [path for child in position.children for path in leaf_paths(child)]


@given(trees())
@settings(max_examples=120, deadline=None)
def test_any_tree_is_written_and_read_back(tree):
    assert same(tree, parse_tree(dump_tree(tree), "t")), dump_tree(tree)


def test_what_is_written_keeps_to_the_width_of_a_page():
    leaves = [[[[n, -n, n * 1000] for n in range(9)] for _ in range(3)] for _ in range(2)]
    every = ", ".join(f"{name}{n}" for name in "lmnop" for n in (1, 2, 3))
    searches = f"[{{published: {{value: 0, leaves: [{every}]}}}}]"
    written = dump_tree(tree_of(leaves, searches=searches)).splitlines()
    assert len(written) > 15
    assert max(map(len, written)) <= 80
