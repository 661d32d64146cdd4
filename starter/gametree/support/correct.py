"""The correct search of a tree.

Everything about a correct search is read from here: the Trace with which a search is
compared at home, the key sentence, and the concept of a search.
"""

from gametree.assignment import STRICT_CUTOFFS
from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.support.tree import NodePath, Search, Tree, search_leaf


class CorrectSearch:
    """The correct search of a tree by one function.

    root: the root's Position.
    function: the Function. Without a window it searches everything, as minimax does.
    search: its arguments.
    strict: whether it cuts off once alpha > beta, and not once alpha >= beta.
    events: its events, as in a Trace.
    values: path -> the returned value, for each visited node, in the order of returning.
    windows: path -> the window (alpha, beta) with which the search enters a node, or would
        enter a pruned child.
    pruned: path -> the paths of the pruned children, for each node with a cutoff. A cutoff
        after the last child is none.
    """

    def __init__(
        self, tree: Tree, function: str, search: Search, strict: bool = STRICT_CUTOFFS
    ):
        self.root = tree.root
        self.function = FUNCTIONS[function]
        self.search = search
        self.strict = strict
        self.events: list[tuple[str, NodePath]] = []
        self.values: dict[NodePath, float] = {}
        self.windows: dict[NodePath, tuple[float, float]] = {}
        self.pruned: dict[NodePath, list[NodePath]] = {}
        self._visit(tree.root, search.alpha, search.beta)

    def _visit(self, position, alpha, beta):
        """Search a position; return its value."""
        path = position.path
        self.windows[path] = (alpha, beta)
        if search_leaf(position, self.search.depth):
            self.events.append((EVALUATE, path))
            value = position.static_value()
        else:
            self.events.append((EXPAND, path))
            value = self._visit_children(position, alpha, beta)
        self.values[path] = value
        return value

    def _visit_children(self, position, alpha, beta):
        """Search the children of a position until a cutoff; return its value."""
        path = position.path
        mover = self.search.mover_at(path)
        returned = []
        children = position.children
        for number, child in enumerate(children, start=1):
            returned.append(self._visit(child, alpha, beta))
            best = mover.combine(returned)
            if self.function.has_window:
                alpha, beta = self._narrowed(path, alpha, beta, best)
            if alpha > beta or alpha == beta and not self.strict:
                pruned = [later.path for later in children[number:]]
                if pruned:
                    self.pruned[path] = pruned
                    self.windows.update(dict.fromkeys(pruned, (alpha, beta)))
                break
        return best

    def _narrowed(self, path, alpha, beta, best):
        """Return the window at a node whose best value so far is `best`."""
        if self.search.max_moves_at(path):
            return max(alpha, best), beta
        return alpha, min(beta, best)

    @property
    def leaves(self) -> list[NodePath]:
        """The paths of the visited leaves, left to right."""
        return [path for kind, path in self.events if kind == EVALUATE]

    def name(self, path: NodePath) -> str:
        """Return the name of the node at a path."""
        return self.root.at(path).name

    def is_leaf(self, path: NodePath) -> bool:
        """Tell whether the node at a path is a leaf of the search."""
        position = self.root.at(path)
        return search_leaf(position, self.search.depth)

    def children(self, path: NodePath) -> list[NodePath]:
        """Return the paths of the visited children of a node, left to right."""
        below = self.root.at(path).children
        return [child.path for child in below if child.path in self.values]

    def trace(self) -> Trace:
        """Return the Trace of the search. For a move, it contains the leftmost best."""
        value = self.values[()]
        answer = Answer(NUMBER, number=value)
        if self.function.answer == NODE:
            moves = self.children(())
            best = next(path for path in moves if self.values[path] == value)
            answer = Answer(NODE, path=best)
        name = self.function.name
        return Trace(name, self.search, self.events, answer, Ending())
