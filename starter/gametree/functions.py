"""The functions that a search.py holds: one table, which everything else follows."""

from __future__ import annotations

from dataclasses import dataclass

NUMBER, NODE = "number", "node"  # kinds of answers
VALUE, LEAVES, NODE_COUNT, MOVE = "value", "leaves", "node count", "move"  # aspects


@dataclass(frozen=True)
class Function:
    """One function: how it is called, what it returns, what earns points.

    `arguments` follow `node` in a call; each is an attribute of Search. `answer` is
    the kind of a right Answer. `aspects` are judged in their order. An optional
    function has `extra_credit`, the rubric's key for its points; it is not asked of
    the kit's trees. One that `scouts` asks with a window one wide whether a child is
    better, so all values are whole then, and searches it again if it is.
    """

    name: str
    arguments: tuple[str, ...]
    answer: str
    aspects: tuple[str, ...]
    extra_credit: str = ""
    scouts: bool = False

    @property
    def has_window(self) -> bool:
        """Whether it is given alpha and beta, so that it can prune."""
        return "alpha" in self.arguments

    @property
    def leaves_vary(self) -> bool:
        """Whether right searches differ in their leaves: the reference visits them all."""
        return self.answer == NODE or self.scouts


PLAIN = ("depth", "maximizing")
WINDOW = ("depth", "alpha", "beta", "maximizing")

KNOWN = {
    function.name: function
    for function in (
        Function("minimax", PLAIN, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
        Function("alphabeta", WINDOW, NUMBER, (VALUE, LEAVES, NODE_COUNT)),
        Function("best_move", PLAIN, NODE, (MOVE, LEAVES)),
        Function("negascout", WINDOW, NUMBER, (VALUE, LEAVES), scouts=True),
        Function("ordered_alphabeta", WINDOW, NUMBER, (VALUE,), "move_ordering"),
    )
}
FUNCTIONS = {name: known for name, known in KNOWN.items() if not known.extra_credit}
OPTIONAL = {name: known for name, known in KNOWN.items() if known.extra_credit}
