"""Name a generated tree's lesson after what it tells apart."""

from __future__ import annotations

from autograder.judging.divergence import CUTOFF, ENTER, UPDATE, replay, ties
from autograder.judging.proof import search_leaf
from gametree import Position

LONGEST_LESSON = 69
TIES = {"equality": "a tie cuts off", "strict": "a tie does not cut off"}
VALUES = (
    ("a fraction", "fractions"),
    ("a value above 10,000", "large values"),
    ("a value below -10,000", "large losses"),
    ("all values negative", "losses only"),
    ("a zero", "a zero among the values"),
    ("all values positive", "gains only"),
)
SHAPES = (
    ("a deep cutoff", "a bound from far above"),
    ("a single child", "a forced move"),
    ("uneven depth", "lines of different length"),
)
SEARCHES = (
    ("a narrow window", "a window that is given"),
    ("a depth limit over static values", "static values at the horizon"),
    ("a best move that is not the first", "a better move comes later"),
)


def lesson_of(tree, properties, taken, convention="equality"):
    """Return a lesson that no other tree has, and add it to `taken`.

    It begins with what cuts off, and goes on with what is special about the
    search, the values and the shape until it is unique.
    """
    parts = [cutoffs(tree, convention)]
    for group in (SEARCHES, SHAPES, VALUES):
        parts += [phrase for name, phrase in group if name in properties]
    parts.append("MAX to move" if tree.maximizing else "MIN to move")
    for size in range(2, len(parts) + 1):
        for extra in parts[size - 1 :]:
            lesson = ", ".join([*parts[: size - 1], extra])
            if lesson not in taken and len(lesson) <= LONGEST_LESSON:
                taken.add(lesson)
                return lesson
    index = 2
    while f"{parts[0]}, {parts[-1]}, case {index}" in taken:
        index += 1
    taken.add(f"{parts[0]}, {parts[-1]}, case {index}")
    return f"{parts[0]}, {parts[-1]}, case {index}"


def cutoffs(tree, convention="equality"):
    """Return in words what the first search cuts off, if anything."""
    search = tree.searches[0]
    everything = replay(tree, search, convention)
    tied = ties(tree, everything)
    steps = [step for step in everything if step.kind == CUTOFF] + tied
    if not steps:
        return "nothing can be cut off"
    players = {search.max_moves_at(step.path) for step in steps}
    where = "both players" if len(players) == 2 else ("MAX" if players == {True} else "MIN")
    what = TIES[convention] if tied else "a cutoff"
    return f"{what} for {where}" if len(players) == 2 else f"{what} at {where}"


MOST_WALKED = 5000  # positions of a lazy tree that are looked at
DEEP = 3  # plies between the node that set a bound and the node that it cuts off

# property -> what an instructor adds where the set lacks it
REQUIRED = {
    "MAX root": "a tree with `root: max`",
    "MIN root": "a tree with `root: min`",
    "a tie that cuts off": "a leaf equal to the bound, such as MAX [1, [1, 1]]",
    "all values negative": "a tree whose values are all below zero",
    "all values positive": "a tree whose values are all above zero",
    "a zero": "a tree with 0 among its values",
    "a fraction": "a value such as 2.5",
    "a value above 10,000": "a value such as 20000",
    "a value below -10,000": "a value such as -20000",
    "uneven depth": "a leaf beside a subtree, such as [1, [2, 3]]",
    "a single child": "an interior node with one child, such as [1, [2]]",
    "a deep cutoff": "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]",
    "a depth limit over static values": "a `depth:` that ends at interior nodes",
    "a narrow window": "a search with `alpha:` and `beta:`",
    "a best move that is not the first": "a tree whose best child is not the leftmost",
}


def positions(tree):
    """Return the tree's positions, parents first; of a lazy tree the first ones."""
    found, row = [], [tree.root]
    while row and len(found) < MOST_WALKED:
        found += row
        row = [child for position in row for child in position.children]
    return found


def written_root(tree):
    """Return the tree's shape and values as text, to tell equal trees.

    A lazy tree or a game is not written out: its name stands for it.
    """

    def written(position):
        inner = ",".join(map(written, position.children))
        return f"[{inner}]" if inner else str(position.value)

    return written(tree.root) if type(tree.root) is Position else tree.name


def properties_of(tree, reference):
    """Return the names of the properties in REQUIRED that the tree has.

    In a strict course "a tie that cuts off" is one that would, did equality do.
    """
    found = {"MAX root" if tree.maximizing else "MIN root"}
    everything = positions(tree)
    found |= _of_values([p.value for p in everything if p.terminal])
    found |= _of_shape(everything)
    for search in tree.searches:
        found |= _of_search(tree, search, reference.convention)
    for search in tree.searches_for("best_move"):
        children = tree.root.children
        asked = (search.depth - 1, not search.maximizing)
        value = [reference.minimax(Plain(child), *asked) for child in children]
        best = max(value) if search.maximizing else min(value)
        if value[0] != best:
            found.add("a best move that is not the first")
    return found


class Plain:
    """A position dressed as the node that a search expects; nothing is recorded."""

    def __init__(self, position):
        self._position = position

    @property
    def children(self):
        """The child nodes."""
        return tuple(map(Plain, self._position.children))

    def evaluate(self):
        """The static value."""
        return self._position.static_value()

    def is_terminal(self):
        """Whether there are no children."""
        return self._position.terminal


def _of_values(values):
    tests = {
        "all values negative": all(value < 0 for value in values),
        "all values positive": all(value > 0 for value in values),
        "a zero": 0 in values,
        "a fraction": any(value != int(value) for value in values),
        "a value above 10,000": any(value > 10_000 for value in values),
        "a value below -10,000": any(value < -10_000 for value in values),
    }
    return {name for name, holds in tests.items() if holds}


def _of_shape(everything):
    found = set()
    if len({len(p.path) for p in everything if p.terminal}) > 1:
        found.add("uneven depth")
    if any(len(p.children) == 1 for p in everything):
        found.add("a single child")
    return found


def _of_search(tree, search, convention):
    found = set() if search.full_window else {"a narrow window"}
    steps = replay(tree, search, convention)
    if ties(tree, steps):
        found.add("a tie that cuts off")
    owners = {}
    for step in steps:
        position = tree.root.at(step.path)
        if step.kind == ENTER and step.path:
            owners[step.path] = dict(owners[step.path[:-1]])
        elif step.kind == ENTER:
            owners[()] = {}
        elif step.kind == UPDATE:
            _note_owner(owners[step.path], step)
        elif step.kind == CUTOFF:
            setters = owners[step.path].values()
            if any(len(step.path) - len(path) >= DEEP for _, path in setters):
                found.add("a deep cutoff")
        elif not position.terminal and search_leaf(position, search.depth):
            found.add("a depth limit over static values")
    return found


def _note_owner(bounds, step):
    """Keep, for alpha and for beta, its value and the node that set it."""
    for name, value in (("alpha", step.alpha), ("beta", step.beta)):
        if bounds.get(name, (None, None))[0] != value and abs(value) != float("inf"):
            bounds[name] = (value, step.path)


MOST_LETTERS = 70


def lint(public, hidden, reference):
    """Yield one line for each thing to mend in the sets, with what to do."""
    trees = [*public, *hidden]
    yield from _repeated("title", [(tree.title, tree.name) for tree in trees])
    yield from _repeated("lesson", [(tree.lesson, tree.name) for tree in trees])
    yield from _same_trees(public, hidden)
    for tree in trees:
        for what, text in (("title", tree.title), ("lesson", tree.lesson)):
            if len(text) >= MOST_LETTERS:
                yield f"{tree.name}: the {what} has {len(text)} letters; shorten it"
            if "should" in text.lower():
                yield f"{tree.name}: the {what} says 'should'; say what is so"
    shown = set().union(*(properties_of(tree, reference) for tree in hidden))
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def _repeated(what, named):
    first = {}
    for text, name in named:
        if text in first:
            yield f"{name}: the {what} of {first[text]} too; reword one: {text!r}"
        first.setdefault(text, name)


def _same_trees(public, hidden):
    """Find trees that are the same but for names, with the same searches."""
    first = {}
    for tree in [*public, *hidden]:
        key = (written_root(tree), tree.maximizing, tree.searches)
        if key in first:
            yield f"{tree.name}: the same tree as {first[key]}; change or remove one"
        first.setdefault(key, tree.name)
