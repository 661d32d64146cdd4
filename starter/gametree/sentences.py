"""What is wrong with a search: a sentence for each finding, and the one that decides.

The words stand in texts.yaml; nothing here judges.
"""

from __future__ import annotations

from collections.abc import Collection

from gametree import divergence as d
from gametree import judging as j
from gametree.divergence import Divergence, divergence_of, returned_values
from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.judging import Verdict
from gametree.saying import say
from gametree.trace import Answer, Trace
from gametree.tree import Search, Tree, search_leaf
from gametree.words import in_words, names, number, player

# Kind of finding -> its sentence, where that says no more than which leaves.
OF_LEAVES = {
    j.MISSED: "finding.missed",
    j.NEEDLESS: "finding.needless",
    j.NOT_A_LEAF: "finding.not a leaf",
}


def deciding(verdict: Verdict) -> str:
    """Return the sentence that decides about a search that returned and is wrong."""
    task, trace = verdict.task, verdict.trace
    tree, search, right = task.tree, task.search, task.expected
    kinds = {finding.kind for finding in verdict.findings}
    if j.WRONG_MOVE in kinds:
        return wrong_move(tree, search, right.answer.path, trace.answer.path)
    if FUNCTIONS[task.function].answer == NUMBER and j.WRONG_TYPE not in kinds:
        divergence = divergence_of(tree, trace, right.visited)
        if divergence.kind != d.SAME_LEAVES:
            return parting(tree, search, divergence)
        if kinds & {j.WRONG_VALUE, j.UNPROVEN}:  # these leaves prove a value, and not this
            return wrong_value(tree, trace, right.visited)
    text = "; ".join(findings(verdict))
    return f"{text[0].upper()}{text[1:]}."


def findings(verdict: Verdict) -> list[str]:
    """Return the sentences for all that is wrong with a search that returned."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    root = verdict.task.tree.root
    return [_finding(root, kind, alike) for kind, alike in by_kind.items()]


def _finding(root, kind, alike):
    """Return the sentence for the findings of one kind."""
    got, expected = alike[0].got, alike[0].expected
    if kind == j.WRONG_TYPE:
        key = "finding.no move" if expected == NODE else "finding.no number"
        return say(key, got=kind_of(got))
    if kind == j.WRONG_VALUE:
        return say("finding.wrong value", got=number(got), expected=number(expected))
    if kind == j.WRONG_MOVE:
        got, expected = root.at(got).name, root.at(expected).name
        return say("finding.wrong move", got=got, expected=expected)
    if kind == j.LOOKED_BEYOND:
        node = root.at(alike[0].path).name
        return say("finding.looked beyond", got=got, expected=expected, node=node)
    if kind == j.WRONG_COUNT:
        key = "finding.wrong count" if got is None else "finding.count"
        return say(key, got=got, expected=expected)
    if kind in OF_LEAVES:
        listed = names(root, [finding.path for finding in alike])
        return say(OF_LEAVES[kind], listed=listed, count=len(alike))
    return say("finding.too few" if kind == j.TOO_FEW else "finding.unproven")


def answer(tree: Tree, returned: Answer) -> str:
    """Return an Answer as people write it: 3, C, None, tuple."""
    if returned.kind == NUMBER:
        return number(returned.number)
    if returned.kind == NODE:
        return tree.root.at(returned.path).name
    return kind_of(returned.kind)


def kind_of(name: str) -> str:
    """Return what a function returned that is wrong: a number, None, tuple."""
    if name == NUMBER:
        return say("kind.number")
    return "None" if name == "NoneType" else name


def parting(tree: Tree, search: Search, divergence: Divergence) -> str:
    """Return the sentence for a Divergence of any kind but SAME_LEAVES."""
    node = player(tree.root, search, divergence.path)
    place = say("parting.at", node=node)
    if divergence.child is not None:
        child, value = tree.root.at(divergence.child), number(divergence.returned)
        key = "parting.after leaf" if search_leaf(child, search.depth) else "parting.after"
        place = say(key, node=node, child=child.name, value=value)
    if divergence.alpha is not None:
        alpha, beta = number(divergence.alpha), number(divergence.beta)
        place = say("parting.window", place=place, alpha=alpha, beta=beta)
    return say(
        f"parting.{divergence.kind}",
        place=place,
        got="" if divergence.got is None else tree.root.at(divergence.got).name,
        others=names(tree.root, divergence.paths),
        count=len(divergence.paths),
        depth=search.depth,
    )


def wrong_value(tree: Tree, trace: Trace, leaves: Collection[tuple]) -> str:
    """Explain a wrong value after the right visits, by what the root chooses from."""
    root, search = tree.root, trace.search
    values = returned_values(tree, search, leaves)
    value, returned = number(values[()]), number(trace.answer.number)
    if search_leaf(root, search.depth):
        return say("answer.of a leaf", node=root.name, value=value, returned=returned)
    key = "answer.largest" if search.maximizing else "answer.smallest"
    if len([path for path in values if len(path) == 1]) == 1:
        key = "answer.of one child"
    mover, worth = player(root, search, ()), _worth(tree, values)
    return say(key, mover=mover, worth=worth, value=value, returned=returned)


def wrong_move(tree: Tree, search: Search, best: tuple, chosen: tuple) -> str:
    """Explain a wrong move by what the moves are worth; `best` and `chosen` are paths."""
    leaves = [leaf.path for leaf in tree.root.frontier(search.depth)]
    return say(
        "move.largest" if search.maximizing else "move.smallest",
        worth=_worth(tree, returned_values(tree, search, leaves)),
        mover=player(tree.root, search, ()),
        best=tree.root.at(best).name,
        chosen=tree.root.at(chosen).name,
    )


def _worth(tree, values):
    """List what the children of the root returned, those that were searched."""
    children = sorted(path for path in values if len(path) == 1)
    return in_words([f"{tree.root.at(c).name} = {number(values[c])}" for c in children])
