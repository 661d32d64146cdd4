"""Explain a wrong search: a sentence for each finding, and the key sentence.

What the correct search does is in its steps. The words are in texts.yaml.
"""

from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support.correct import CorrectSearch
from gametree.support.judging import (
    LOOKED_BEYOND,
    MISSED,
    NOT_A_LEAF,
    TOO_FEW,
    UNNECESSARY,
    UNPROVEN,
    WRONG_COUNT,
    WRONG_MOVE,
    WRONG_TYPE,
    WRONG_VALUE,
    Task,
    Verdict,
    acceptable,
    leaves_needed,
    looked_beyond,
)
from gametree.support.texts import (
    in_words,
    list_names,
    name_player,
    sentence,
    write_number,
)
from gametree.support.trace import Trace
from gametree.support.tree import Position

FINDINGS = {  # the kind of a finding -> its sentence
    WRONG_TYPE: "finding.no number",
    WRONG_VALUE: "finding.wrong value",
    WRONG_MOVE: "finding.wrong move",
    UNPROVEN: "finding.unproven",
    MISSED: "finding.missed",
    UNNECESSARY: "finding.needless",
    NOT_A_LEAF: "finding.not a leaf",
    TOO_FEW: "finding.too few",
    WRONG_COUNT: "finding.wrong count",
    LOOKED_BEYOND: "finding.looked beyond",
}


def deciding(verdict: Verdict) -> str:
    """Return the key sentence on a search that returned and is wrong."""
    task = verdict.task
    trace = verdict.trace
    kinds = {finding.kind for finding in verdict.findings}
    if WRONG_MOVE in kinds:
        return explain_move(task, trace.answer.path)
    if UNPROVEN in kinds and trace.answer.kind == NODE:
        return explain_unproven_move(task, trace)
    returns_number = FUNCTIONS[task.function].answer == NUMBER
    if returns_number and WRONG_TYPE not in kinds:
        correct = task.correct_search()
        parting = explain_parting(correct, trace)
        if parting:
            return parting
        if kinds & {WRONG_VALUE, UNPROVEN}:  # the visited leaves prove a value
            return explain_value(correct, trace.answer.number)
    text = "; ".join(findings(verdict))
    return f"{text[0].upper()}{text[1:]}."


# ---- findings


def findings(verdict: Verdict) -> list[str]:
    """Return the sentences on all errors of a search that returned."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_finding(verdict.task, kind, alike) for kind, alike in by_kind.items()]


def _finding(task, kind, alike):
    """Return the sentence on the findings of one kind."""
    root = task.tree.root
    first = alike[0]
    key = FINDINGS[kind]
    got = first.got
    expected = first.expected
    low = high = ""
    if kind == WRONG_TYPE:
        got = kind_of(got)
        if expected == NODE:
            key = "finding.no node"
    elif kind == WRONG_MOVE:
        got = root.at(got).name
        expected = root.at(expected).name
    elif kind == WRONG_VALUE:
        low, high = map(write_number, acceptable(task.search, expected))
        if low != high:
            key = "finding.wrong bound"
        got = write_number(got)
        expected = low
    paths = [finding.path for finding in alike if finding.path is not None]
    return sentence(
        key,
        got=got,
        expected=expected,
        low=low,
        high=high,
        listed=list_names(root, paths),
        count=len(alike),
    )


def write_answer(root: Position, trace: Trace) -> str:
    """Return the Answer of a search as plain text: 3, C, None, tuple."""
    returned = trace.answer
    if returned.kind == NUMBER:
        return write_number(returned.number)
    if returned.kind == NODE:
        return root.at(returned.path).name
    return kind_of(returned.kind)


def write_call(task: Task) -> str:
    """Return the function call of a task, in Python."""
    call = f"{task.function}({task.tree.root.name}"
    arguments = FUNCTIONS[task.function].arguments
    for name, value in zip(arguments, task.search.arguments(task.function)):
        text = str(value) if isinstance(value, bool) else write_number(value)
        call += f", {name}={text}"
    return f"{call})"


def kind_of(name: str) -> str:
    """Return the type of a wrong answer in words: a number, None, tuple."""
    if name == NUMBER:
        return sentence("kind.number")
    return "None" if name == "NoneType" else name


# ---- the correct search


def name_mover(correct: CorrectSearch, path: tuple[int, ...]) -> str:
    """Return the name of the node at a path and its player: "C (MIN)"."""
    return name_player(correct.root, correct.search, path)


def describe_turn(correct: CorrectSearch, child: tuple[int, ...]) -> str:
    """Describe the position and the window just before the search of a child."""
    node = name_mover(correct, child[:-1])
    place = sentence("parting.at", node=node)
    if not correct.function.has_window:
        return place
    if child[-1] > 0:
        before = (*child[:-1], child[-1] - 1)
        place = sentence(
            "parting.after leaf" if correct.is_leaf(before) else "parting.after",
            node=node,
            child=correct.name(before),
            value=write_number(correct.values[before]),
        )
    search = correct.search
    if not search.full_window:
        alpha = write_number(search.alpha)
        beta = write_number(search.beta)
        place = sentence("parting.given window", place=place, alpha=alpha, beta=beta)
    alpha, beta = map(write_number, correct.windows[child])
    return sentence("parting.window", place=place, alpha=alpha, beta=beta)


def describe_choice(correct: CorrectSearch, path: tuple[int, ...], value: str) -> str:
    """State that the node at a path takes this value, and list the alternatives."""
    mover = name_mover(correct, path)
    worth = list_worth(correct, path)
    if len(correct.children(path)) == 1:
        return sentence("answer.of one child", mover=mover, worth=worth, value=value)
    player = correct.search.mover_at(path)
    takes = player.takes
    return sentence("answer.choice", mover=mover, takes=takes, worth=worth, value=value)


def list_worth(correct: CorrectSearch, path: tuple[int, ...]) -> str:
    """List the values that the visited children of a node returned."""
    worth = []
    for child in correct.children(path):
        worth.append(f"{correct.name(child)} = {write_number(correct.values[child])}")
    return in_words(worth)


# ---- divergence from the correct search


def explain_parting(correct: CorrectSearch, trace: Trace) -> str:
    """Describe where a minimax or alphabeta trace diverges from the correct search.

    If the leaves differ, it is at the first different leaf. If not, it is at a node that is
    visited unnecessarily or repeatedly. Return "" if only the answers differ.
    """
    if trace.visited == frozenset(correct.leaves):
        return _explain_nodes(correct, trace)
    visits = trace.in_order
    if not correct.function.has_window:
        visits = sorted(trace.visited)  # minimax may visit leaves in any order
    if not visits:
        return sentence("parting.no leaf")
    at = _first_difference(correct.leaves, visits)
    if at < len(visits):
        parting = _explain_visit(correct, visits, at)
        if parting:
            return parting
    # The topmost ancestor of the missed leaf without any visited leaf below it.
    missed = correct.leaves[at]
    if any(path == missed for _, path in trace.events):
        return sentence("parting.not evaluated", got=correct.name(missed))
    above = max(_first_difference(missed, path) for path in visits)
    skipped = missed[: above + 1]
    prunes = correct.function.has_window
    return sentence(
        "parting.left out" if prunes else "parting.left out by minimax",
        place=describe_turn(correct, skipped),
        others=correct.name(skipped),
    )


def _explain_nodes(correct, trace):
    """Name an unnecessary or repeated node, or return ""; the leaves are correct."""
    beyond = looked_beyond(trace, correct.leaves)
    if beyond is not None:
        return _explain_beyond(correct, beyond, is_visit=False)
    again = trace.revisited
    return sentence("parting.again", got=correct.name(again[0])) if again else ""


def _explain_visit(correct, visits, at):
    """Explain the first different visit; return "" if it shows a missed leaf."""
    got = visits[at]
    if not correct.is_leaf(got):
        return sentence(
            "parting.below the depth"
            if len(got) > correct.search.depth
            else "parting.no end",
            got=correct.name(got),
            depth=correct.search.depth,
        )
    if got in visits[:at]:
        return sentence("parting.again", got=correct.name(got))
    all_before = sum(leaf < got for leaf in correct.leaves) <= at
    if got not in correct.leaves and all_before:
        return _explain_beyond(correct, got, is_visit=True)
    expected = correct.leaves[at]
    if expected not in visits:
        return ""
    length = _first_difference(expected, got) + 1
    return sentence(
        "parting.other order",
        place=sentence("parting.at", node=name_mover(correct, got[: length - 1])),
        others=correct.name(expected[:length]),
        got=correct.name(got[:length]),
    )


def _explain_beyond(correct, got, is_visit):
    """State that a search visited, or read, a node that the correct search never visits."""
    beyond = got
    while beyond[:-1] not in correct.values:
        beyond = beyond[:-1]
    parent = beyond[:-1]
    if parent in correct.leaves:
        name = correct.name(got)
        depth = correct.search.depth
        return sentence("parting.read below the depth", got=name, depth=depth)
    pruned = correct.pruned(parent)
    return sentence(
        "parting.went on" if is_visit else "parting.read beyond",
        place=describe_turn(correct, pruned[0]),
        others=list_names(correct.root, pruned),
        got=correct.name(beyond if is_visit else got),
    )


def _first_difference(first, second):
    """Return the first index at which two sequences differ or one of them ends."""
    for at, (left, right) in enumerate(zip(first, second)):
        if left != right:
            return at
    return min(len(first), len(second))


# ---- a wrong answer after correct visits


def explain_value(correct: CorrectSearch, got: float) -> str:
    """Explain a wrong value after correct visits, by the values of the root's children."""
    returned = write_number(got)
    value = write_number(correct.values[()])
    if correct.is_leaf(()):
        return sentence(
            "answer.of a leaf", node=correct.name(()), value=value, returned=returned
        )
    takes = describe_answer(correct)
    return sentence("answer.wrong", takes=takes, returned=returned)


def describe_answer(correct: CorrectSearch) -> str:
    """List the values of the root's children, and state the correct value."""
    value = write_number(correct.values[()])
    shown = value
    low, high = map(write_number, acceptable(correct.search, correct.values[()]))
    if low != high:
        shown = sentence("answer.bound", value=value, low=low, high=high)
    takes = describe_choice(correct, (), shown)
    children = correct.children(())
    if len(children) == 1 and not correct.is_leaf(children[0]):
        below = describe_choice(correct, children[0], value)
        takes = sentence("answer.below", below=below, above=takes)
    return takes


def explain_move(task: Task, chosen: tuple[int, ...]) -> str:
    """Explain a wrong move to the child at `chosen`, by the values of all moves."""
    correct = task.correct_search()
    return sentence(
        "move.wrong",
        worth=list_worth(correct, ()),
        takes=task.search.mover_at(()).takes,
        mover=name_mover(correct, ()),
        best=correct.name(task.expected.answer.path),
        chosen=correct.name(chosen),
    )


def explain_unproven_move(task: Task, trace: Trace) -> str:
    """Name the skipped leaves that could change the move, which is correct."""
    correct_leaves = task.expected.visited
    missed = leaves_needed(task.tree, task.search, trace.visited, correct_leaves)
    chosen = trace.answer.path
    others = [path for path in sorted(missed) if path[:1] != chosen]
    root = task.tree.root
    return sentence(
        "move.unproven" if others else "move.unproven below",
        chosen=root.at(chosen).name,
        missed=list_names(root, others or sorted(missed)),
        mover=task.search.player_at(()),
    )
