"""The grader's side of the protocol, against a scripted worker that may say anything."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peer import (
    QUICK,
    SEARCH,
    TREE,
    Peer,
    answer,
    evaluate,
    expand,
    kept_open,
    request,
    search,
)

from autograder.sandbox import protocol
from gametree.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    OUT_OF_QUERIES,
    RETURNED,
    TIMED_OUT,
)


def test_an_honest_search_is_logged_and_answered():
    honest = expand(0) + evaluate(1) + expand(2) + evaluate(3) + answer(3)
    with Peer() as peer:
        trace = peer.says(honest).conversation.search(TREE, "alphabeta", SEARCH, 50)
        replies = peer.reads()[protocol.TASK.size :]
    assert trace.events == [
        (EXPAND, ()),
        (EVALUATE, (0,)),
        (EXPAND, (1,)),
        (EVALUATE, (1, 0)),
    ]
    assert (trace.ending.kind, trace.answer.number) == (RETURNED, 3)
    size = protocol.CHILDREN.size
    assert protocol.CHILDREN.unpack(replies[:size]) == (1, 2)
    assert replies[size : size + 2] == b"\1\0"
    value = protocol.VALUE.unpack(replies[size + 2 :][: protocol.VALUE.size])
    assert protocol.unpack_number(*value) == 3


def test_children_are_disclosed_with_the_same_handles_when_asked_again():
    with Peer() as peer:
        peer.says(expand(0) + expand(0) + answer(0))
        peer.conversation.search(TREE, "minimax", SEARCH, 50)
        replies = peer.reads()[protocol.TASK.size :]
    assert replies[: len(replies) // 2] == replies[len(replies) // 2 :]


def test_an_integer_stays_an_integer_and_a_fraction_a_fraction():
    assert isinstance(kept_open(answer(3)).answer.number, int)
    assert kept_open(answer(2.5)).answer.number == 2.5


@pytest.mark.parametrize("handle", [1, 3, 99, 2**32 - 1])
def test_a_handle_that_was_not_disclosed_is_refused(handle):
    trace = kept_open(evaluate(handle))
    assert (trace.ending.kind, trace.events) == (BROKE_PROTOCOL, [])


def test_a_handle_from_an_earlier_run_is_refused():
    with Peer() as peer:
        peer.says(expand(0) + evaluate(1) + answer(3))
        peer.conversation.search(TREE, "minimax", SEARCH, 50)
        peer.says(evaluate(1))
        again = peer.conversation.search(TREE, "minimax", SEARCH, 50)
    assert (again.ending.kind, again.events) == (BROKE_PROTOCOL, [])


def test_a_node_as_answer_must_have_been_disclosed_too():
    chosen = request(protocol.ANSWER, 2, protocol.IS_NODE)
    assert kept_open(expand(0) + chosen, "best_move").answer.path == (1,)
    assert kept_open(chosen, "best_move").ending.kind == BROKE_PROTOCOL


@pytest.mark.parametrize("operation", [0, protocol.LOADED, 77, 255])
def test_an_unknown_operation_ends_the_search(operation):
    assert kept_open(request(operation)).ending.kind == BROKE_PROTOCOL


@pytest.mark.parametrize("kind", [protocol.IS_OTHER, 9, 255])
def test_an_unknown_kind_of_answer_ends_the_search(kind):
    script = request(protocol.ANSWER, 2**31, kind)
    assert kept_open(script).ending.kind == BROKE_PROTOCOL


def test_half_a_frame_and_then_silence_times_out():
    assert kept_open(expand(0)[:7], limits=QUICK).ending.kind == TIMED_OUT


def test_half_a_frame_and_then_the_end_is_a_death():
    trace = search(expand(0) + evaluate(1)[:7])
    assert (trace.ending.kind, trace.events) == (DIED, [(EXPAND, ())])


def test_a_flood_ends_when_the_budget_is_used_up():
    trace = kept_open(expand(0) * 200, budget=20)
    assert (trace.ending.kind, len(trace.events)) == (OUT_OF_QUERIES, 21)


def test_names_are_free_but_not_endless():
    assert kept_open(request(protocol.NAME) * 200).ending.kind == OUT_OF_QUERIES
    assert kept_open(request(protocol.NAME) + answer(1)).events == []


@pytest.mark.parametrize("size", [protocol.REQUEST.size, 1], ids=["requests", "bytes"])
def test_a_worker_that_is_never_silent_for_long_times_out_all_the_same(size):
    over = threading.Event()

    def drip(peer, script):
        while not over.wait(0.01):
            peer.says(script[:size])
            script = script[size:] + script[:size]

    with Peer(QUICK) as peer:
        speaker = threading.Thread(target=drip, args=(peer, request(protocol.NAME)))
        speaker.start()
        trace = peer.conversation.search(TREE, "minimax", SEARCH, budget=60)
        over.set()
        speaker.join()
    assert trace.ending.kind == TIMED_OUT


FRAMES = st.one_of(
    st.binary(min_size=16, max_size=16),
    st.builds(
        lambda op, kind, handle, payload: protocol.REQUEST.pack(op, kind, handle, payload),
        st.integers(0, 8),
        st.integers(0, 40),
        st.integers(0, 6),
        st.binary(min_size=8, max_size=8),
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAMES, max_size=30), st.binary(max_size=15))
def test_whatever_a_worker_says_no_visit_is_forged(frames, rest):
    """Every logged visit is of a node whose parent was expanded before."""
    trace = search(b"".join(frames) + rest, budget=20)
    disclosed = {()}
    for kind, path in trace.events:
        assert path in disclosed
        if kind == EXPAND:
            children = TREE.root.at(path).children
            disclosed |= {child.path for child in children}
    assert len(trace.events) <= 21
