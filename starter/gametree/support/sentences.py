"""Explain a wrong search: a sentence for each finding, and the key sentence.

What the correct search does is in a CorrectSearch. The words are in texts.yaml.
"""

import math
from collections.abc import Collection

from gametree.functions import FUNCTIONS, MOVE, NODE, NUMBER, VALUE
from gametree.support.judging import (
    UNPROVEN,
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


def deciding(verdict: Verdict) -> str:
    """Return the key sentence on a search that returned and is wrong."""
    task = verdict.task
    trace = verdict.trace
    kinds = {finding.kind for finding in verdict.findings}
    if WRONG_MOVE in kinds:
        return _explain_move(task, trace.answer.path)
    if UNPROVEN in kinds and trace.answer.kind == NODE:
        return _explain_unproven_move(task, trace)
    if trace.answer.kind == task.expected.answer.kind == NUMBER:
        correct = task.correct_search()
        parting = _explain_parting(correct, trace)
        if parting:
            return parting
        if kinds & {WRONG_VALUE, UNPROVEN}:  # the visited leaves prove a value
            return _explain_value(correct, trace.answer.number)
    problems = findings(verdict)
    return sentence("finding.all", problems="; ".join(problems))


def describe_correct(task: Task, aspects: Collection[str]) -> str:
    """Say what the correct search of a tree does: its first cutoff, or its choice.

    aspects: the wrong aspects of another search, on which it depends what is said.
    """
    correct = task.correct_search()
    if correct.is_leaf(()):
        return ""
    if VALUE in aspects or MOVE in aspects:
        takes = _describe_answer(correct)
        text = sentence("answer.correct", takes=takes)
        return _after_given_window(correct.search, text)
    if correct.function.has_window:
        return _describe_first_cutoff(correct)
    return ""


def _describe_first_cutoff(correct):
    """Say which children the correct search prunes first, and why."""
    if not correct.pruned:
        return sentence("parting.none pruned")
    pruned = next(iter(correct.pruned.values()))
    place = _describe_turn(correct, pruned[0])
    others = list_names(correct.root, pruned)
    return sentence("parting.pruned", place=place, others=others)


# ---- findings


def findings(verdict: Verdict) -> list[str]:
    """Return the sentences on all errors of a search that returned."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_finding(verdict.task, alike) for alike in by_kind.values()]


def _finding(task, alike):
    """Return the sentence on the findings of one kind."""
    root = task.tree.root
    kind, _, expected, got = alike[0]
    if kind == WRONG_TYPE:
        is_move = expected == NODE
        key = "finding.no node" if is_move else "finding.no number"
        return sentence(key, got=_kind_of(got))
    if kind == WRONG_MOVE:
        got = root.at(got).name
        expected = root.at(expected).name
    if kind == WRONG_VALUE:
        return _wrong_value(task.search, expected, got)
    paths = [finding.path for finding in alike if finding.path is not None]
    listed = list_names(root, paths)
    count = len(alike)
    key = f"finding.{kind}"
    return sentence(key, got=got, expected=expected, listed=listed, count=count)


def _wrong_value(search, expected, got):
    returned = write_number(got)
    low, high = map(write_number, acceptable(search, expected))
    if low == high:
        return sentence("finding.wrong value", got=returned, expected=low)
    return sentence("finding.wrong bound", got=returned, low=low, high=high)


def write_answer(root: Position, trace: Trace) -> str:
    """Return the Answer of a search as plain text: 3, C, None, a tuple."""
    returned = trace.answer
    if returned.kind == NUMBER:
        return write_number(returned.number)
    if returned.kind == NODE:
        chosen = root.at(returned.path)
        return chosen.name
    return _kind_of(returned.kind)


def write_call(task: Task) -> str:
    """Return the function call of a task, with the names of its arguments."""
    call = f"{task.function}({task.tree.root.name}"
    arguments = FUNCTIONS[task.function].arguments
    values = task.search.arguments(task.function)
    for name, value in zip(arguments, values):
        text = str(value) if isinstance(value, bool) else write_number(value)
        call += f", {name}={text}"
    return f"{call})"


def _kind_of(name):
    """Return the type of a wrong answer in words: a number, None, a tuple."""
    if name == "NoneType":
        return "None"
    has_vowel = name[0] in "AEIOUaeiou"
    return sentence("kind.an" if has_vowel else "kind.a", name=name)


# ---- the correct search


def _name_mover(correct, path):
    """Return the name of the node at a path and its player: "C (MIN)"."""
    return name_player(correct.root, correct.search, path)


def _describe_turn(correct, child):
    """Describe the position and the window just before the search of a child."""
    node = _name_mover(correct, child[:-1])
    place = sentence("parting.at", node=node)
    if not correct.function.has_window:
        return place
    *above, number = child
    if number > 0:
        before = (*above, number - 1)
        key = "parting.after leaf" if correct.is_leaf(before) else "parting.after"
        name = correct.name(before)
        value = write_number(correct.values[before])
        place = sentence(key, node=node, child=name, value=value)
    alpha, beta = map(write_number, correct.windows[child])
    window = sentence("parting.window", place=place, alpha=alpha, beta=beta)
    return _after_given_window(correct.search, window)


def _after_given_window(search, text):
    """Return the text after a sentence on the window of the search, if one is given."""
    if search.full_window:
        return text
    alpha = write_number(search.alpha)
    beta = write_number(search.beta)
    return sentence("parting.given window", text=text, alpha=alpha, beta=beta)


def _describe_choice(correct, path, value):
    """State that the node at a path takes this value, and list the alternatives."""
    mover = _name_mover(correct, path)
    worth = _list_worth(correct, path)
    takes = correct.search.mover_at(path).takes
    key = "answer.choice"
    if path in correct.pruned:
        key = "answer.pruned"
    elif len(correct.children(path)) == 1:
        key = "answer.of one child"
    return sentence(key, mover=mover, takes=takes, worth=worth, value=value)


def _list_worth(correct, path):
    """List the values that the visited children of a node returned."""
    worth = []
    for child in correct.children(path):
        name = correct.name(child)
        value = write_number(correct.values[child])
        worth.append(f"{name} = {value}")
    return in_words(worth)


# ---- divergence from the correct search


def _explain_parting(correct, trace):
    """Describe where a minimax or alphabeta trace diverges from the correct search.

    If the leaves differ, it is at the first different leaf. If not, it is at a node that is
    visited unnecessarily or repeatedly. Return "" if only the answers differ.
    """
    if trace.visited == frozenset(correct.leaves):
        return _explain_nodes(correct, trace)
    visits = trace.in_order
    if not visits:
        return sentence("parting.no leaf")
    at = _first_difference(correct.leaves, visits)
    if at < len(visits):
        parting = _explain_visit(correct, visits, at)
        if parting:
            return parting
    # The topmost ancestor of the missed leaf without any visited leaf below it.
    missed = correct.leaves[at]
    was_reached = any(path == missed for _, path in trace.events)
    if was_reached:
        return sentence("parting.not evaluated", got=correct.name(missed))
    above = max(_first_difference(missed, path) for path in visits)
    skipped = missed[: above + 1]
    place = _describe_turn(correct, skipped)
    has_window = correct.function.has_window
    key = "parting.left out" if has_window else "parting.left out by minimax"
    return sentence(key, place=place, others=correct.name(skipped))


def _explain_nodes(correct, trace):
    """Name an unnecessary or repeated node, or return ""; the leaves are correct."""
    beyond = looked_beyond(trace, correct.leaves)
    if beyond is not None:
        return _explain_beyond(correct, beyond, is_visit=False)
    again = trace.revisited
    if not again:
        return ""
    name = correct.name(again[0])
    return sentence("parting.again", got=name)


def _explain_visit(correct, visits, at):
    """Explain the first different visit; return "" if it shows a missed leaf."""
    got = visits[at]
    name = correct.name(got)
    depth = correct.search.depth
    if len(got) > depth:
        return sentence("parting.below the depth", got=name, depth=depth)
    if not correct.is_leaf(got):
        return sentence("parting.no end", got=name, depth=depth - len(got))
    if got in visits[:at]:
        return sentence("parting.again", got=name)
    before = [leaf for leaf in correct.leaves if leaf < got]
    all_before = len(before) <= at
    if got not in correct.leaves and all_before:
        return _explain_beyond(correct, got, is_visit=True)
    expected = correct.leaves[at]
    common = _first_difference(expected, got)
    if expected not in visits and not _may_start_later(correct, visits, expected, common):
        return ""
    node = _name_mover(correct, got[:common])
    place = sentence("parting.at", node=node)
    first = correct.name(expected[: common + 1])
    second = correct.name(got[: common + 1])
    return sentence("parting.other order", place=place, others=first, got=second)


def _may_start_later(correct, visits, expected, depth):
    """Tell whether a missed leaf may be below a child that a later child's cutoff prunes.

    The children of the node at this depth were then searched in another order. It must have
    a bound that allows a cutoff, and no leaf below the earlier child was visited.
    """
    first = expected[: depth + 1]
    if any(path[: depth + 1] == first for path in visits):
        return False
    alpha, beta = correct.windows[first]
    is_max = correct.search.max_moves_at(first[:-1])
    return beta < math.inf if is_max else alpha > -math.inf


def _explain_beyond(correct, got, is_visit):
    """State that a search visited, or read, a node that the correct search never visits."""
    beyond = got
    while beyond[:-1] not in correct.values:
        beyond = beyond[:-1]
    parent = beyond[:-1]
    name = correct.name(got)
    if parent in correct.leaves:
        depth = correct.search.depth
        return sentence("parting.read below the depth", got=name, depth=depth)
    pruned = correct.pruned[parent]
    place = _describe_turn(correct, pruned[0])
    others = list_names(correct.root, pruned)
    if is_visit:
        child = correct.name(beyond)
        return sentence("parting.went on", place=place, others=others, got=child)
    return sentence("parting.read beyond", place=place, others=others, got=name)


def _first_difference(first, second):
    """Return the first index at which two sequences differ or one of them ends."""
    for at, (left, right) in enumerate(zip(first, second)):
        if left != right:
            return at
    return min(len(first), len(second))


# ---- a wrong answer after correct visits


def _explain_value(correct, got):
    """Explain a wrong value after correct visits, by the values of the root's children."""
    returned = write_number(got)
    value = write_number(correct.values[()])
    if correct.is_leaf(()):
        node = correct.name(())
        text = sentence("answer.of a leaf", node=node, value=value, returned=returned)
    else:
        takes = _describe_answer(correct)
        text = sentence("answer.wrong", takes=takes, returned=returned)
    return _after_given_window(correct.search, text)


def _describe_answer(correct):
    """List the values of the root's children, and state the correct value."""
    result = correct.values[()]
    value = write_number(result)
    shown = value
    low, high = map(write_number, acceptable(correct.search, result))
    if low != high:
        shown = sentence("answer.bound", value=value, low=low, high=high)
    takes = _describe_choice(correct, (), shown)
    children = correct.children(())
    first = children[0]
    if len(children) == 1 and not correct.is_leaf(first):
        below = _describe_choice(correct, first, value)
        takes = sentence("answer.below", below=below, above=takes)
    return takes


def _explain_move(task, chosen):
    """Explain a wrong move to the child at `chosen`, by the values of all moves."""
    correct = task.correct_search()
    worth = _list_worth(correct, ())
    mover = _name_mover(correct, ())
    takes = task.search.mover_at(()).takes
    best = correct.name(task.expected.answer.path)
    name = correct.name(chosen)
    return sentence(
        "move.wrong", worth=worth, mover=mover, takes=takes, best=best, chosen=name
    )


def _explain_unproven_move(task, trace):
    """Name the skipped leaves that could change the move, which is correct."""
    chosen = trace.answer.path
    skipped = sorted(leaves_needed(task, trace))
    others = [path for path in skipped if path[:1] != chosen]
    root = task.tree.root
    key = "move.unproven" if others else "move.unproven below"
    name = root.at(chosen).name
    names = list_names(root, others or skipped)
    mover = task.search.player_at(())
    return sentence(key, chosen=name, missed=names, mover=mover)
