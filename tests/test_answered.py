"""A function that is wrong only through another is told so, and never falsely."""

from __future__ import annotations

import pytest
from helpers import changed, reference, tasks_of, tree_of
from peer import ALPHABETA, MINIMAX, Peer, answer, request

from autograder.answered import RightAnswers, run_answered
from autograder.judging.verdict import judge
from autograder.sandbox import Limits, Sandbox, Session, protocol
from autograder.smalltrees.enumeration import Ladder
from gametree.trace import BROKE_PROTOCOL, OUT_OF_QUERIES

TREES = (
    tree_of("[[3, [5, 1]], [2, 9]]", name="one"),
    tree_of("[4, [0, 7]]", "min", name="two"),
)
TASKS = tasks_of(*TREES)
WRONG_MINIMAX = changed(("if maximizing", "if not maximizing"), function="minimax")
BY_KEYWORDS = """
def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(node.children, key=lambda child: minimax(
        maximizing=not maximizing, node=child, depth=depth - 1))
"""
BY_ALPHABETA = """
def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(node.children, key=lambda child: alphabeta(
        child, depth - 1, None, 10**30, not maximizing))
"""
WITH_DEFAULTS = """
def alphabeta(node, depth, alpha=-math.inf, beta=math.inf, maximizing=True):
    return 0

def best_move(node, depth, maximizing):
    values = [alphabeta(c, depth - 1, maximizing=not maximizing) for c in node.children]
    return node.children[values.index(max(values) if maximizing else min(values))]
"""
BY_ITSELF = """
def value(node, depth, maximizing):
    return node.evaluate()

def best_move(node, depth, maximizing):
    return max(node.children, key=lambda child: value(child, depth - 1, not maximizing))
"""
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"


@pytest.fixture(scope="module")
def answered():
    """Return a function: a source text -> what run_answered() returns."""
    with Sandbox(Limits()) as sandbox:

        def of(source):
            session = Session(sandbox, source.encode())
            pairs = session.run_afresh(TASKS)
            verdicts = [judge(task, pair) for task, pair in zip(TASKS, pairs)]
            return run_answered(session, reference(), Ladder(reference()), verdicts)

        yield of


@pytest.mark.parametrize(
    "source, called",
    [
        (WRONG_MINIMAX, "minimax"),
        (WRONG_MINIMAX + BY_KEYWORDS, "minimax"),
        (changed(("alpha >= beta", "alpha <= beta")) + BY_ALPHABETA, "alphabeta"),
        (changed() + WITH_DEFAULTS, "alphabeta"),
    ],
    ids=["as it is called", "by keywords", "None and large bounds", "with defaults"],
)
def test_a_right_best_move_is_right_once_what_it_calls_is(source, called, answered):
    assert answered(source)["best_move"].called == {called}
    assert answered(source)["best_move"].right


def test_a_best_move_that_is_wrong_as_well_stays_wrong(answered):
    source = changed(("max if maximizing else min", "max"), function="best_move")
    source = changed(
        ("if maximizing", "if not maximizing"), function="minimax", source=source
    )
    assert answered(source)["best_move"].called == {"minimax"}
    assert not answered(source)["best_move"].right


def test_one_that_calls_no_other_is_left_out(answered):
    assert answered(WRONG_MINIMAX + BY_ITSELF) == {}


def test_a_stub_that_is_called_is_seen(answered):
    source = changed(
        ("alphabeta(child, depth - 1, alpha, beta,", "minimax(child, depth - 1,")
    )
    found = answered(source + STUB.format("minimax"))
    assert {name: one.called for name, one in found.items()} == {
        "alphabeta": {"minimax"},
        "best_move": {"minimax"},
    }


def test_a_stub_by_itself_calls_nothing(answered):
    assert answered("".join(map(STUB.format, ("minimax", "alphabeta", "best_move")))) == {}


def call(handle, arguments, place=0, count=None):
    """Return the request of a worker that calls another function."""
    packed = protocol.pack_arguments(arguments)
    count = len(arguments) if count is None else count
    payload = protocol.INT64.pack(count)
    return request(protocol.CALL, handle, place, payload) + packed


def search(script, answers):
    with Peer() as peer:
        return peer.says(script).hangs_up().conversation.search(ALPHABETA, answers)


def test_what_an_answer_looked_at_is_logged_as_looked_at():
    answers = RightAnswers(reference(), ["minimax"])
    trace = search(call(0, (2, True)) + answer(3), answers)
    assert trace.events == MINIMAX.expected.events
    assert answers.called == {"minimax"}


@pytest.mark.parametrize(
    "script",
    [
        call(7, (2, True)),
        call(0, (2, True), place=1),
        call(0, (2,)),
        call(0, (2, None)),
        call(0, (), count=-1),
        call(0, (), count=9),
    ],
    ids=["another handle", "another function", "too few", "None", "negative", "too many"],
)
def test_a_call_that_no_function_takes_ends_the_search(script):
    trace = search(script, RightAnswers(reference(), ["minimax"]))
    assert trace.ending.kind == BROKE_PROTOCOL


def test_calls_count_as_queries():
    answers = RightAnswers(reference(), ["minimax"])
    assert search(call(0, (2, True)) * 40, answers).ending.kind == OUT_OF_QUERIES


def test_nobody_is_answered_unless_asked_for():
    assert search(call(0, (2, True)), None).ending.kind == BROKE_PROTOCOL
