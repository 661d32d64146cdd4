"""The verdict: three aspects, held only where both runs hold them."""

from helpers import REFERENCE_SOURCE, task_of, trace_of

from gametree import judging as v
from gametree.functions import LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.judging import judge

REFERENCE = REFERENCE_SOURCE.decode()
CALLS_MINIMAX = REFERENCE.replace(
    "alphabeta(child, depth - 1, alpha, beta, ", "minimax(child, depth - 1, "
)
STRICT = REFERENCE.replace("alpha >= beta", "alpha > beta")
AIMA = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


RUNNING = (
    REFERENCE
    + """
def best_move(node, depth, maximizing):
    alpha, chosen = -math.inf, None
    for child in node.children:
        value = alphabeta(child, depth - 1, alpha, math.inf, False)
        if chosen is None or value > alpha:
            alpha, chosen = value, child
    return chosen
"""
)
CALL = "minimax(child, depth - 1, False)"
GUESS = "def {}(node, *_):\n    return {}\n"
# What is judged, the function, the tree: the aspects that do not hold, the findings.
VERDICTS = {
    "the reference": (REFERENCE, "minimax", AIMA, (), ()),
    "it prunes": (REFERENCE, "alphabeta", AIMA, (), ()),
    "its move": (REFERENCE, "best_move", AIMA, (), ()),
    "alphabeta that calls minimax": (
        CALLS_MINIMAX, "alphabeta", AIMA, (LEAVES, NODE_COUNT), (v.NEEDLESS,)),
    "a strict cutoff without a tie": (STRICT, "alphabeta", AIMA, (), ()),
    "a strict cutoff at a tie": (
        STRICT, "alphabeta", "[1, [1, 1]]", (LEAVES, NODE_COUNT), (v.NEEDLESS,)),
    "a right count of the wrong leaves": (
        REFERENCE.replace("in node.children", "in node.children[::-1]"), "alphabeta",
        "[[2, 2], [1, 1], [2, 2]]", (LEAVES, NODE_COUNT), (v.MISSED, v.NEEDLESS)),
    "a guess that happens to be right": (
        GUESS.format("alphabeta", 3), "alphabeta", AIMA, (VALUE, LEAVES, NODE_COUNT),
        (v.UNPROVEN, v.MISSED)),
    "interior nodes are evaluated": (
        REFERENCE.replace("    if depth == 0", "    node.evaluate()\n    if depth == 0"),
        "minimax", AIMA, (LEAVES, NODE_COUNT), (v.NOT_A_LEAF,)),
    "searching twice": (
        REFERENCE.replace(f"max(best, {CALL})", f"max(best, {CALL}, {CALL})"), "minimax",
        AIMA, (NODE_COUNT,), (v.WRONG_COUNT,)),
    **{f"it returns {returned}": (
        REFERENCE.replace("    return best\n", f"    return {returned}\n"), "minimax",
        "[3]", (VALUE,), (v.WRONG_TYPE,))
       for returned in ("None", "(3, None)", "'3'", "True")},
    "best_move may visit any leaf of the search": (RUNNING, "best_move", AIMA, (), ()),
    "the classic trap": (
        RUNNING.replace("value > alpha", "value >= alpha"), "best_move", "[2, [2, 1]]",
        (MOVE,), (v.WRONG_MOVE,)),
    "a move without looking": (
        GUESS.format("best_move", "node.children[0]"), "best_move", AIMA, (MOVE, LEAVES),
        (v.UNPROVEN, v.TOO_FEW)),
    "the wrong one of equal moves": (
        REFERENCE.replace("node.children, key", "node.children[::-1], key"), "best_move",
        "[2, 2]", (MOVE,), (v.WRONG_MOVE,)),
}  # fmt: skip


def test_which_aspects_hold_and_what_is_found():
    for what, (source, function, nested, wrong, kinds) in VERDICTS.items():
        task = task_of(nested, function)
        verdict = judge(task, trace_of(source, task))
        assert [a for a in verdict.aspects if not verdict.aspects[a]] == [*wrong], what
        assert {finding.kind for finding in verdict.findings} == {*kinds}, what
        assert verdict.right == (not wrong)
