"""The table of the functions in search.py, which all other modules follow."""

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
    """One function: its arguments, its answer, and the aspects that earn points.

    name: its name in search.py.
    arguments: the arguments after `node`; each is an attribute of Search.
    answer: the kind of a correct Answer.
    aspects: the judged aspects, in order.
    """

    name: str
    arguments: tuple[str, ...]
    answer: str
    aspects: tuple[str, ...]

    @property
    def has_window(self) -> bool:
        """Whether the function receives alpha and beta, so that it can prune."""
        return "alpha" in self.arguments


PLAIN_ARGUMENTS = ("depth", "maximizing")
WINDOW_ARGUMENTS = ("depth", "alpha", "beta", "maximizing")

ALL = (
    Function("minimax", PLAIN_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("alphabeta", WINDOW_ARGUMENTS, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
    Function("best_move", PLAIN_ARGUMENTS, NODE, (MOVE, LEAVES)),
)
FUNCTIONS = {function.name: function for function in ALL}
