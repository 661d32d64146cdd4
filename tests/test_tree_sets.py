"""The public and hidden trees: each one different, together telling mistakes apart."""

from test_published import HIDDEN, PUBLIC, found

from autograder.smalltrees.build import described
from gametree.lazy import LazyPosition


def everything(position):
    """Yield a position and all below it."""
    yield position
    for child in position.children:
        yield from everything(child)


def shape(position):
    """Return a tree as nested lists of its values."""
    return [shape(child) for child in position.children] or position.value


def written_out(trees):
    return [tree for tree in trees if not isinstance(tree.root, LazyPosition)]


def test_titles_and_lessons_are_unique_short_and_in_the_present_tense():
    trees = [*PUBLIC, *HIDDEN]
    by_hand = [tree for tree in trees if not tree.name.startswith("fresh-")]
    for key, different in (("title", trees), ("lesson", by_hand)):
        lines = [getattr(tree, key) for tree in different]
        assert len({line.lower() for line in lines}) == len(lines)
        for line in [getattr(tree, key) for tree in trees]:
            assert line and len(line) < 70, line
            assert not {"should", "must", "will"} & set(line.lower().split()), line


def test_no_tree_stands_twice_and_no_hidden_tree_is_public():
    written = [repr(described(tree.root)) for tree in (*PUBLIC, *HIDDEN)
                 if isinstance(tree.root, LazyPosition)]  # fmt: skip
    shapes = [repr(shape(tree.root)) for tree in written_out([*PUBLIC, *HIDDEN])]
    for keys in (written, shapes):
        assert len(set(keys)) == len(keys)


def test_there_are_enough_trees():
    assert len(PUBLIC) >= 8
    assert len(HIDDEN) >= 24


def plies_between_bound_and_cutoff(tree):
    """Return the longest way down from where a bound is set to where it cuts off."""
    longest = 0

    def search(position, alpha, beta, maximizing):
        nonlocal longest
        if position.terminal:
            return position.value
        best = None
        for child in position.children:
            value = search(child, alpha, beta, not maximizing)
            if best is None or (value > best if maximizing else value < best):
                best = value
            bound = alpha if not maximizing else beta
            if bound and (best <= bound[0] if not maximizing else best >= bound[0]):
                longest = max(longest, len(position.path) - bound[1])
                return best
            if maximizing and (not alpha or best > alpha[0]):
                alpha = best, len(position.path)
            if not maximizing and (not beta or best < beta[0]):
                beta = best, len(position.path)
        return best

    search(tree.root, None, None, tree.maximizing)
    return longest


def test_the_hidden_set_holds_every_property_that_tells_mistakes_apart():
    trees = written_out(HIDDEN)
    leaves = {
        tree.name: [p.value for p in everything(tree.root) if p.terminal] for tree in trees
    }
    depths = {
        tree.name: {len(p.path) for p in everything(tree.root) if p.terminal}
        for tree in trees
    }
    searches = [(tree, search) for tree in trees for search in tree.searches]
    moves = [found(tree, search).get("move") for tree, search in searches]
    holds = {
        "a MAX root": any(tree.maximizing for tree in trees),
        "a MIN root": any(not tree.maximizing for tree in trees),
        "ties": any(len(set(values)) < len(values) for values in leaves.values()),
        "all negative": any(max(values) < 0 for values in leaves.values()),
        "all positive": any(min(values) > 0 for values in leaves.values()),
        "a value of zero": any(found(*each)["value"] == 0 for each in searches),
        "no whole number": any(v != int(v) for values in leaves.values() for v in values),
        "above 10,000": any(v > 10_000 for values in leaves.values() for v in values),
        "below -10,000": any(v < -10_000 for values in leaves.values() for v in values),
        "all above 10,000": any(min(values) > 10_000 for values in leaves.values()),
        "all below -10,000": any(max(values) < -10_000 for values in leaves.values()),
        "uneven depth": any(len(found) > 2 for found in depths.values()),
        "single children": any(
            len(p.children) == 1 for tree in trees for p in everything(tree.root)
        ),
        "a deep cutoff at MIN": any(
            plies_between_bound_and_cutoff(tree) >= 3 for tree in trees if tree.maximizing
        ),
        "a deep cutoff at MAX": any(
            plies_between_bound_and_cutoff(tree) >= 3
            for tree in trees
            if not tree.maximizing
        ),
        "interior values": any(
            p.value is not None and not p.terminal
            for tree, search in searches
            for p in tree.root.frontier(search.depth)
        ),
        "a narrow window": any(not search.full_window for _, search in searches),
        "the other player": any(s.maximizing != tree.maximizing for tree, s in searches),
        "a best move that is not the first": any(move and move[0] > 0 for move in moves),
        "no ply at all": any(search.depth == 0 for _, search in searches),
        "a lazy tree": len(trees) < len(HIDDEN),
    }
    assert [name for name, held in holds.items() if not held] == []
