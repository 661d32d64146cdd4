"""The verdict on one search: which aspects hold, and the findings that say why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from autograder.judging.proof import intervals, proves_move, proves_value, search_leaf
from gametree.trace import RETURNED

VALUE, LEAVES, NODE_COUNT, MOVE = "value", "leaves", "node count", "move"
ASPECTS = {
    "minimax": (VALUE, LEAVES, NODE_COUNT),
    "alphabeta": (VALUE, LEAVES, NODE_COUNT),
    "best_move": (MOVE, LEAVES),
}

# Kinds of findings.
DID_NOT_RETURN = "did not return"
WRONG_TYPE = "wrong type"
WRONG_VALUE = "wrong value"
UNPROVEN = "unproven"
WRONG_MOVE = "wrong move"
MISSED = "missed"
NEEDLESS = "needless"
NOT_A_LEAF = "not a leaf"
WRONG_COUNT = "wrong count"
TOO_FEW = "too few"
STATE_KEPT = "state kept"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: what kind, where, what was expected, what was got.

    `path` is a position's path or None; `expected` and `got` are what the kind has: a
    number, a path, a count, a kind of answer, an Ending, or two whole Traces.
    """

    kind: str
    path: tuple | None = None
    expected: object = None
    got: object = None


@dataclass(frozen=True)
class Verdict:
    """The judgement of one task: aspect -> whether it holds, and the findings.

    `trace` is the submission's first run.
    """

    task: object
    trace: object
    aspects: dict
    findings: tuple = field(default=())

    @property
    def right(self):
        """Whether every aspect holds."""
        return all(self.aspects.values())

    @property
    def judged(self):
        """Whether there was a returned search to judge."""
        return self.trace.ending.kind == RETURNED


def judge(task, runs):
    """Return the Verdict on a task's two runs.

    An aspect holds if it holds in both runs. A second run that looks at other
    nodes or answers otherwise is a finding of its own: state was kept.
    """
    first, findings = _judge_run(task, runs.first)
    if runs.second is None:
        return Verdict(task, runs.first, first, tuple(findings))
    if _same(runs.first, runs.second):
        return Verdict(task, runs.first, first, tuple(findings))
    second, _ = _judge_run(task, runs.second)
    both = {aspect: first[aspect] and second[aspect] for aspect in first}
    findings.append(Finding(STATE_KEPT, expected=runs.first, got=runs.second))
    return Verdict(task, runs.first, both, tuple(findings))


def _same(one, other):
    if (one.ending.kind, one.answer) != (other.ending.kind, other.answer):
        return False
    return one.events == other.events or (
        one.visited == other.visited and one.node_count == other.node_count
    )


def _judge_run(task, trace):
    """Return (aspects, findings) of one run."""
    aspects = dict.fromkeys(ASPECTS[task.function], False)
    if trace.ending.kind != RETURNED:
        return aspects, [Finding(DID_NOT_RETURN, got=trace.ending)]
    findings = []
    if MOVE in aspects:
        aspects[MOVE] = _judge_move(task, trace, findings)
        within = _only_search_leaves(task, trace, findings)
        aspects[LEAVES] = _enough_for_a_move(task, trace, findings) and within
    else:
        aspects[VALUE] = _judge_value(task, trace, findings)
        aspects[LEAVES] = _same_leaves(task, trace, findings)
        aspects[NODE_COUNT] = aspects[LEAVES] and _same_count(task, trace, findings)
    return aspects, findings


_remembered = lru_cache(maxsize=1024)(intervals)


def _intervals(task, visited):
    """Return what the visited leaves prove; for the right leaves it is remembered."""
    prove = _remembered if visited == task.expected.visited else intervals
    return prove(task.tree, task.search, visited)


def _judge_value(task, trace, findings):
    expected = task.expected.answer.number
    if trace.answer.kind != "number":
        findings.append(Finding(WRONG_TYPE, expected="number", got=trace.answer.kind))
        return False
    low, high = _intervals(task, trace.visited)[()]
    returned = trace.answer.number
    if proves_value(task.search, low, high, returned):
        return True
    kind = UNPROVEN if _acceptable(task.search, expected, returned) else WRONG_VALUE
    findings.append(Finding(kind, (), expected, returned))
    return False


def _acceptable(search, expected, returned):
    """Tell whether a value is right, leaving aside whether it was proven."""
    if expected <= search.alpha:
        return returned <= search.alpha
    if expected >= search.beta:
        return returned >= search.beta
    return returned == expected


def _judge_move(task, trace, findings):
    expected = task.expected.answer.path
    if trace.answer.kind != "node":
        findings.append(Finding(WRONG_TYPE, expected="node", got=trace.answer.kind))
        return False
    found = _intervals(task, trace.visited)
    if proves_move(task.search, found, trace.answer.path):
        return True
    kind = UNPROVEN if trace.answer.path == expected else WRONG_MOVE
    findings.append(Finding(kind, (), expected, trace.answer.path))
    return False


def _wrong_leaf(task, path):
    position = task.tree.root.at(path)
    leaf = search_leaf(position, task.search.depth)
    return Finding(NEEDLESS if leaf else NOT_A_LEAF, path)


def _only_search_leaves(task, trace, findings):
    """Accept whatever minimax would visit: the leaves within the search's depth."""
    others = sorted(trace.visited - task.expected.visited)
    wrong = [_wrong_leaf(task, path) for path in others]
    beyond = [finding for finding in wrong if finding.kind == NOT_A_LEAF]
    findings += beyond
    return not beyond


def _enough_for_a_move(task, trace, findings):
    """Tell whether the leaves prove some move, be it another than the one returned.

    Every right search does; one that guesses a move visits only right leaves, too.
    """
    found = _intervals(task, trace.visited)
    if any(proves_move(task.search, found, path) for path in found if path):
        return True
    findings.append(Finding(TOO_FEW))
    return False


def _same_leaves(task, trace, findings):
    findings += [Finding(MISSED, p) for p in sorted(task.expected.visited - trace.visited)]
    others = sorted(trace.visited - task.expected.visited)
    findings += [_wrong_leaf(task, path) for path in others]
    return trace.visited == task.expected.visited


def _same_count(task, trace, findings):
    """Compare node counts; reached only with the right leaves, else luck would pay."""
    expected, got = task.expected.node_count, trace.node_count
    if got != expected:
        findings.append(Finding(WRONG_COUNT, expected=expected, got=got))
    return got == expected
