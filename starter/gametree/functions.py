"""The table of the functions in search.py, which all other modules follow."""

from collections.abc import Callable
from typing import NamedTuple

# Kinds of answers.
NUMBER = "number"
NODE = "node"

# Aspects of a search that are judged.
VALUE = "value"
LEAVES = "leaves"
NODE_COUNT = "node count"
MOVE = "move"


class Player(NamedTuple):
    """Who moves at a node, and the value of the node.

    name: the name in drawings.
    combine: combines the values of the children, a list, into the value of the node.
    takes: which of the children's values this is, such as "largest" or "average".
    tolerance: the largest error of a correct result, if correct programs may round.
    """

    name: str
    combine: Callable
    takes: str
    tolerance: float = 0.0


MAX = Player("MAX", max, "largest")
MIN = Player("MIN", min, "smallest")


class Function(NamedTuple):
    """One function of the assignment: everything that the kit must know about it.

    name: its name in search.py.
    arguments: the arguments after `node`; each is an attribute of Search.
    answer: the kind of a correct Answer.
    aspects: the judged aspects, in order.
    opponent: the Player who takes turns with MAX.
    """

    name: str
    arguments: tuple[str, ...]
    answer: str
    aspects: tuple[str, ...]
    opponent: Player = MIN

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
