"""The functions that a search.py holds: one table, which everything else follows."""

from typing import NamedTuple

NUMBER, NODE = "number", "node"  # kinds of answers
VALUE, LEAVES, NODE_COUNT, MOVE = "value", "leaves", "node count", "move"  # aspects


class Function(NamedTuple):
    """One function: how it is called, what it returns, what earns points.

    `arguments` follow `node` in a call; each is an attribute of Search. `answer` is
    the kind of a right Answer. `aspects` are judged in their order.
    """

    name: str
    arguments: tuple[str, ...]
    answer: str
    aspects: tuple[str, ...]

    @property
    def has_window(self) -> bool:
        """Whether it is given alpha and beta, so that it can prune."""
        return "alpha" in self.arguments


PLAIN_ARGUMENTS = ("depth", "maximizing")
WINDOW_ARGUMENTS = ("depth", "alpha", "beta", "maximizing")

ALL = (
    Function("minimax", PLAIN_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("alphabeta", WINDOW_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("best_move", PLAIN_ARGUMENTS, NODE, (MOVE, LEAVES)),
)
FUNCTIONS = {function.name: function for function in ALL}
