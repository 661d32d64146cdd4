"""The correct search of a tree, step by step.

Everything about a correct search is read from its steps: the Trace with which a search is
compared at home, the key sentence, and the concept of a search.
"""

from functools import cached_property
from typing import NamedTuple

from gametree.assignment import STRICT_CUTOFFS
from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.support.tree import NodePath, Position, Search, Tree, search_leaf

# Kinds of steps.
ENTER = "enter"
LEAF = "leaf"
UPDATE = "update"
CUTOFF = "cutoff"
LEAVE = "leave"


class Step(NamedTuple):
    """One step of the correct search.

    kind: ENTER (the search enters an interior node), LEAF (it visits a leaf, which has no
        ENTER and no LEAVE), UPDATE (a child returns), CUTOFF (the remaining children are
        pruned) or LEAVE (an interior node returns).
    path: the node where the step happens.
    alpha, beta: the window at the node; after an UPDATE, the new window.
    value: a leaf's value, otherwise the node's value so far; None at ENTER.
    child_path: the child that has just returned, at UPDATE and CUTOFF.
    pruned_paths: the children that a CUTOFF prunes, from left to right. Without remaining
        children there is no CUTOFF.
    """

    kind: str
    path: NodePath
    alpha: float
    beta: float
    value: float | None = None
    child_path: NodePath | None = None
    pruned_paths: tuple[NodePath, ...] = ()


class CorrectSearch:
    """The correct search of a tree by one function.

    root: the root's Position.
    function: the Function. Without a window it searches everything, as minimax does.
    search: its arguments.
    strict: whether it cuts off once alpha > beta, and not once alpha >= beta.
    steps: its Steps, in order.
    """

    def __init__(
        self, tree: Tree, function: str, search: Search, strict: bool = STRICT_CUTOFFS
    ):
        self.root = tree.root
        self.function = FUNCTIONS[function]
        self.search = search
        self.strict = strict
        self.steps = []
        self._visit(tree.root, search.alpha, search.beta)

    def _visit(self, position, alpha, beta):
        """Record the steps at a position and below it; return its value."""
        path = position.path
        if search_leaf(position, self.search.depth):
            value = position.static_value()
            self._record(LEAF, path, alpha, beta, value)
            return value
        self._record(ENTER, path, alpha, beta)
        mover = self.search.mover_at(path)
        returned = []
        children = position.children
        for number, child in enumerate(children, start=1):
            returned.append(self._visit(child, alpha, beta))
            best = mover.combine(returned)
            if self.function.has_window:
                alpha, beta = self._narrowed(path, alpha, beta, best)
            self._record(UPDATE, path, alpha, beta, best, child.path)
            if self._cuts_off(alpha, beta):
                later = children[number:]
                pruned = tuple(sibling.path for sibling in later)
                if pruned:
                    self._record(CUTOFF, path, alpha, beta, best, child.path, pruned)
                break
        self._record(LEAVE, path, alpha, beta, best)
        return best

    def _record(self, *step):
        self.steps.append(Step(*step))

    def _narrowed(self, path, alpha, beta, best):
        """Return the window at a node whose best value so far is `best`."""
        if self.search.max_moves_at(path):
            return max(alpha, best), beta
        return alpha, min(beta, best)

    def _cuts_off(self, alpha, beta):
        return alpha > beta or alpha == beta and not self.strict

    @cached_property
    def values(self) -> dict[NodePath, float]:
        """Path -> the returned value, for each visited node."""
        returns = (step for step in self.steps if step.kind in (LEAF, LEAVE))
        return {step.path: step.value for step in returns}

    @cached_property
    def leaves(self) -> list[NodePath]:
        """The paths of the visited leaves, left to right."""
        return [step.path for step in self.steps if step.kind == LEAF]

    @cached_property
    def cutoffs(self) -> list[Step]:
        """The steps that prune children."""
        return [step for step in self.steps if step.kind == CUTOFF]

    @cached_property
    def windows(self) -> dict[NodePath, tuple[float, float]]:
        """Path -> the window (alpha, beta) of each visited node when the search enters it.

        A pruned child has the window with which the search would enter it.
        """
        windows = {}
        for step in self.steps:
            window = step.alpha, step.beta
            if step.kind in (ENTER, LEAF):
                windows[step.path] = window
            windows.update(dict.fromkeys(step.pruned_paths, window))
        return windows

    def name(self, path: NodePath) -> str:
        """Return the name of the node at a path."""
        return self.root.at(path).name

    def is_leaf(self, path: NodePath) -> bool:
        """Tell whether the node at a path is a leaf of the search."""
        position = self.root.at(path)
        return search_leaf(position, self.search.depth)

    def children(self, path: NodePath) -> list[tuple]:
        """Return the paths of the visited children of a node, left to right."""
        below = _paths_below(self.root.at(path))
        return [child for child in below if child in self.values]

    def pruned(self, path: NodePath) -> list[tuple]:
        """Return the paths of the children of a node that are not visited."""
        below = _paths_below(self.root.at(path))
        return [child for child in below if child not in self.values]

    def trace(self) -> Trace:
        """Return the Trace of the search. For a move, it contains the leftmost best."""
        value = self.steps[-1].value
        answer = Answer(NUMBER, number=value)
        if self.function.answer == NODE:
            moves = self.children(())
            best = next(path for path in moves if self.values[path] == value)
            answer = Answer(NODE, path=best)
        events = []
        for step in self.steps:
            if step.kind == ENTER:
                events.append((EXPAND, step.path))
            elif step.kind == LEAF:
                events.append((EVALUATE, step.path))
        name = self.function.name
        return Trace(name, self.search, events, answer, Ending())


def _paths_below(position: Position) -> list[NodePath]:
    return [child.path for child in position.children]
