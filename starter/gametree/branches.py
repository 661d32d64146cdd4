"""Build a written-out tree: numbers, lists and mappings into named positions."""

from __future__ import annotations

from collections import deque
from itertools import count, product
from string import ascii_uppercase

from gametree.lazy import LazyPosition
from gametree.markup import Pairs, Scalar
from gametree.position import Position
from gametree.scalars import new_name, number
from gametree.treeerror import TreeError


class Branch:
    """One node while its tree is being read: what is written, where, in what."""

    def __init__(self, line, parent=None, index=0, name=None):
        self.line = line
        self.parent = parent
        self.index = index
        self.name = name
        self.value = None
        self.children = []

    def __str__(self):
        if self.name:
            return f"node {self.name}"
        if self.parent is None:
            return "the root"
        place = f"child {self.index + 1} of "
        if self.parent.parent is None or self.parent.name:
            return place + str(self.parent)
        numbers, ancestor = [], self
        while ancestor.parent is not None and ancestor.name is None:
            numbers.insert(0, str(ancestor.index + 1))
            ancestor = ancestor.parent
        return f"child {'.'.join(numbers)} of {ancestor}"


def read_tree(markup):
    """Return the root Position of a tree that is written out in full."""
    root = Branch(markup.line)
    _read(markup, root)
    _name(root)
    return _position(root, ())


def _read(markup, branch):
    if isinstance(markup, Scalar):
        branch.value = number(markup, branch, "a leaf")
    elif isinstance(markup, Pairs) and _is_static(markup):
        _read_static(markup, branch)
    elif isinstance(markup, Pairs):
        _read_children([(new_name(key), value) for key, value in markup.pairs], branch)
    else:
        for item in markup.items:
            _refuse_bare_pair(item, branch)
        _read_children([(None, item) for item in markup.items], branch)


def _is_static(pairs):
    return any(key.text in ("value", "children") for key, _ in pairs.pairs)


def _read_static(pairs, branch):
    if {key.text for key, _ in pairs.pairs} != {"value", "children"}:
        problem = "a static value is written {value: 7, children: [1, 2]}"
        raise TreeError(f"{problem}, with these two keys only", pairs.line, branch)
    children = pairs.get("children")
    if isinstance(children, Scalar) or isinstance(children, Pairs) and _is_static(children):
        problem = "children must be a list or a mapping of names"
        raise TreeError(problem, children.line, branch)
    _read(children, branch)
    branch.value = number(pairs.get("value"), branch, "a static value")


def _refuse_bare_pair(item, branch):
    if not isinstance(item, Pairs) or item.braced or len(item.pairs) > 1:
        return
    written = item.pairs[0][0].text
    problem = f"{written!r} names a child inside a list"
    cure = "name children in a mapping, {b1: 3, b2: 4}, or leave the name out"
    raise TreeError(f"{problem}: {cure}", item.line, branch)


def _read_children(named, branch):
    if not named:
        problem = "an empty node: write its children, or one number for a leaf"
        raise TreeError(problem, branch.line, branch)
    for index, (name, markup) in enumerate(named):
        child = Branch(markup.line, branch, index, name)
        branch.children.append(child)
        _read(markup, child)


def letters():
    """Yield B, C, ... Z, AA, AB, ...: the names of unnamed interior nodes."""
    for length in count(1):
        for word in product(ascii_uppercase, repeat=length):
            if word != ("A",):
                yield "".join(word)


def default_names(root):
    """Yield (position, name) row by row, as a tree file that names nothing has them.

    A leaf is called after its parent, so give each position its name as it comes.
    """
    yield root, "A"
    row, fresh = [root], letters()
    while row:
        for position in row:
            for index, child in enumerate(position.children):
                leaf = f"{position.name.lower()}{index + 1}"
                yield child, leaf if child.terminal else next(fresh)
        row = [child for position in row for child in position.children]


def _name(root):
    """Name every branch: given names first, then A, B, C ... and b1, b2, ..."""
    order, queue = [], deque([root])
    while queue:
        branch = queue.popleft()
        order.append(branch)
        queue.extend(branch.children)
    taken = _given_names(order)
    fresh = (name for name in letters() if name not in taken)
    if root.name is None:
        root.name = "A" if "A" not in taken else "Root"
        taken[root.name] = root
    for branch in order:
        if branch.name is None:
            branch.name = next(fresh) if branch.children else _leaf_name(branch, taken)
            taken[branch.name] = branch


def _given_names(order):
    taken = {}
    for branch in sorted((b for b in order if b.name), key=lambda b: b.line):
        if branch.name in taken:
            problem = f"the name stands twice, first on line {taken[branch.name].line}"
            raise TreeError(f"{problem}: give one another name", branch.line, branch)
        taken[branch.name] = branch
    return taken


def _leaf_name(branch, taken):
    name = f"{branch.parent.name.lower()}{branch.index + 1}"
    while name in taken:
        name += "'"
    return name


def _position(branch, path):
    children = [
        _position(child, (*path, index)) for index, child in enumerate(branch.children)
    ]
    return Position(path, branch.name, branch.value, children)


def height(position):
    """Return the number of plies below a position; of a lazy one, at most."""
    if isinstance(position, LazyPosition):
        return position.height
    return max((1 + height(child) for child in position.children), default=0)
