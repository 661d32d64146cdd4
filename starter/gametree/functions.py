"""The functions that a search.py holds: one table, which everything else follows."""

from typing import NamedTuple

# Kinds of answers.
NUMBER = "number"
NODE = "node"

# Aspects of a search that are judged.
VALUE = "value"
LEAVES = "leaves"
NODE_COUNT = "node count"
MOVE = "move"


class Function(NamedTuple):
    """One function: how it is called, what it returns, what earns points.

    name: its name in search.py.
    arguments: what follows `node` in a call; each is an attribute of Search.
    answer: the kind of a correct Answer.
    aspects: what is judged, in this order.
    """

    name: str
    arguments: tuple[str, ...]
    answer: str
    aspects: tuple[str, ...]

    @property
    def has_window(self) -> bool:
        """Whether the function is given alpha and beta, so that it can prune."""
        return "alpha" in self.arguments


PLAIN_ARGUMENTS = ("depth", "maximizing")
WINDOW_ARGUMENTS = ("depth", "alpha", "beta", "maximizing")

ALL = (
    Function("minimax", PLAIN_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("alphabeta", WINDOW_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("best_move", PLAIN_ARGUMENTS, NODE, (MOVE, LEAVES)),
)
FUNCTIONS = {function.name: function for function in ALL}
