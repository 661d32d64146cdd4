"""Hold a search against what its tree publishes: what is wrong, and why.

This is what the public tests and `python -m gametree` say. It needs the
published figures; hidden trees, and points, are the autograder's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from gametree.asked import ASKED
from gametree.divergence import SAME_LEAVES, divergence_of
from gametree.explaining import parting, wrong_move, wrong_value
from gametree.functions import FUNCTIONS, NODE, NODE_COUNT, NUMBER
from gametree.lazy import LazyPosition
from gametree.proof import intervals, proves_move
from gametree.saying import say
from gametree.trace import RAISED, RETURNED, Trace, alike, observe
from gametree.tree import Search, Tree

BUDGET = 100_000  # queries; far more than any public search needs


@dataclass(frozen=True)
class Checked:
    """One search, held against what is published.

    `wrong` has a line for each thing that is wrong, `why` is the sentence that decides,
    "" where there is none to say.
    """

    tree: Tree
    trace: Trace
    wrong: tuple[str, ...]
    why: str


def check(
    function: Callable, name: str, tree: Tree, search: Search, catch: type | tuple = ()
) -> Checked:
    """Run a function of search.py on a tree, twice, and return what came of it.

    The second run has new nodes, as on Gradescope, and shows whether anything was kept
    from the first one. `catch` is as in observe().
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not these
    nodes = []  # kept, so that a table by id(node) is not led astray

    @wraps(function)
    def searched(node, *arguments):
        __tracebackhide__ = True
        nodes.append(node)
        return function(node, *arguments)

    runs = []
    for _ in range(2):
        runs.append(observe(searched, name, tree, search, BUDGET, catch))
        if runs[-1].ending.kind != RETURNED:
            break
    first, last = runs[0], runs[-1]
    wrong = problems(tree, first)
    if not alike(first, last) and (wrong or problems(tree, last)):
        wrong.append(say("finding.state kept"))
    return Checked(tree, first, tuple(wrong), why(tree, first))


def known_leaves(search: Search, trace: Trace) -> frozenset[tuple] | None:
    """Return the leaves to draw a trace beside, None for minimax, which needs none said."""
    plain = trace.function == "minimax"
    return None if plain else search.published.leaves


def right_leaves(tree: Tree, search: Search, name: str) -> frozenset[tuple] | None:
    """Return the leaves that a right search visits, None where nobody says.

    best_move may visit any that minimax visits.
    """
    if FUNCTIONS[name].has_window:
        return search.published.leaves
    if isinstance(tree.root, LazyPosition) and search.published.value is None:
        return None  # there may be more of them than anybody can list
    return frozenset(leaf.path for leaf in tree.root.frontier(search.depth))


def problems(tree: Tree, trace: Trace) -> list[str]:
    """Return one line for each thing that is wrong, none where nothing is published."""
    if trace.ending.kind != RETURNED:
        return [_stopped(trace.ending, trace.text)]
    search, name, root = trace.search, trace.function, tree.root
    published, answer = search.published, trace.answer
    leaves = right_leaves(tree, search, name)
    lines, missed = [], ()
    if FUNCTIONS[name].answer == NODE:
        if answer.kind != NODE:
            return [say("finding.no move", got=kind_in_words(answer.kind))]
        if published.move not in (None, answer.path):
            chosen, right = root.at(answer.path).name, root.at(published.move).name
            lines.append(say("finding.wrong move", got=chosen, expected=right))
        elif None not in (published.move, leaves):
            ends = intervals(tree, search, trace.visited)
            if not proves_move(search, ends, answer.path):
                lines.append(say("finding.unproven"))
    elif answer.kind != NUMBER:
        return [say("finding.no number", got=kind_in_words(answer.kind))]
    elif published.value is not None:
        low, high = right_values(search)
        if not low <= answer.number <= high:
            right = low if low == high else say("finding.range", low=low, high=high)
            lines.append(say("finding.wrong value", got=answer.number, expected=right))
    if leaves is None:
        return lines
    if FUNCTIONS[name].answer != NODE:
        missed = [root.at(path).name for path in sorted(leaves - trace.visited)]
    needless = [root.at(path).name for path in sorted(trace.visited - leaves)]
    if missed:
        lines.append(say("finding.all missed", listed=", ".join(missed)))
    if needless:
        lines.append(say("finding.all needless", listed=", ".join(needless)))
    nodes = _node_count(tree, search, name)
    if not lines and nodes not in (None, trace.node_count):
        lines.append(say("finding.count", got=trace.node_count, expected=nodes))
    return lines


def _stopped(ending, text):
    where = say("finding.at line", line=text.line) + ": " if text.line else ""
    if ending.kind == RAISED:
        return f"{where}{ending.error}: {text.message}".removesuffix(": ")
    return where + say("finding.stopped", count=BUDGET)


def kind_in_words(kind: str) -> str:
    """Return "a number", "a node", "a tuple", or "None" for a kind of answer."""
    if kind in (NUMBER, NODE):
        return say(f"kind.{kind}")
    return "None" if kind == "NoneType" else say("kind.other", name=kind)


def right_values(search: Search) -> tuple[float, float]:
    """Return the lowest and the highest right answer; outside the window they differ."""
    value = search.published.value
    if value <= search.alpha:
        return value, search.alpha
    return min(value, search.beta), value


def _node_count(tree, search, name):
    """Return how many nodes a right search visits, None where that is free or unknown."""
    if NODE_COUNT not in ASKED.get(name, FUNCTIONS[name].aspects):
        return None
    if FUNCTIONS[name].has_window:
        return search.published.nodes

    def below(position, depth):
        if depth == 0 or position.terminal:
            return 1
        return 1 + sum(below(child, depth - 1) for child in position.children)

    return below(tree.root, search.depth)


def why(tree: Tree, trace: Trace) -> str:
    """Return the sentence that decides, "" where a search is right or nothing is known."""
    search, name, published = trace.search, trace.function, trace.search.published
    known = FUNCTIONS[name]
    if trace.ending.kind != RETURNED or trace.answer.kind != known.answer:
        return ""
    if known.answer == NODE:
        if published.move in (None, trace.answer.path):
            return ""
        return wrong_move(tree, search, published.move, trace.answer.path)
    leaves = right_leaves(tree, search, name)
    if leaves is None:
        return ""
    divergence = divergence_of(tree, trace, leaves)
    if divergence.kind != SAME_LEAVES:
        return parting(tree, search, divergence)
    if published.value is None:
        return ""
    low, high = right_values(search)
    right = low <= trace.answer.number <= high
    return "" if right else wrong_value(tree, trace, leaves)
