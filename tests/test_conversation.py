"""The grader's side of the protocol, against a scripted worker that may say anything."""

import math
import struct
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peer import (
    ALPHABETA,
    BEST_MOVE,
    BUDGET,
    MINIMAX,
    QUICK,
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
    RAISED,
    RETURNED,
    TIMED_OUT,
    Ending,
    Text,
)


def test_a_task_brings_the_function_and_its_arguments_as_they_are():
    for arguments in [(2, True), (3, -math.inf, 2.5, False), (0, -7, 10**9), ()]:
        rest = list(protocol.pack_task(7, True, "any_name", arguments))
        handle, terminal, function, brought = protocol.unpack_task(
            lambda size, rest=rest: bytes(rest.pop(0) for _ in range(size))
        )
        assert (handle, terminal, function, rest) == (7, True, "any_name", [])
        assert [(type(a), a) for a in brought] == [(type(a), a) for a in arguments]


def test_an_honest_search_is_logged_and_answered():
    with Peer() as peer:
        peer.says(expand(0) + evaluate(1) + expand(2) + evaluate(3) + answer(3))
        trace = peer.conversation.search(ALPHABETA)
        replies = peer.replies(ALPHABETA)
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
        peer.says(expand(0) + expand(0) + answer(0)).conversation.search(MINIMAX)
        replies = peer.replies(MINIMAX)
    assert replies[: len(replies) // 2] == replies[len(replies) // 2 :]


def test_a_handle_that_was_not_disclosed_in_this_search_is_refused():
    for handle in (1, 3, 99, 2**32 - 1):
        trace = kept_open(evaluate(handle))
        assert (trace.ending.kind, trace.events) == (BROKE_PROTOCOL, [])
    with Peer() as peer:
        peer.says(expand(0) + evaluate(1) + answer(3)).conversation.search(MINIMAX)
        again = peer.says(evaluate(1)).conversation.search(MINIMAX)
    assert (again.ending.kind, again.events) == (BROKE_PROTOCOL, [])


def test_an_answer_is_a_number_as_it_is_or_a_node_that_was_disclosed():
    assert isinstance(kept_open(answer(3)).answer.number, int)
    assert kept_open(answer(2.5)).answer.number == 2.5
    chosen = request(protocol.ANSWER, 2, protocol.IS_NODE)
    assert kept_open(expand(0) + chosen, BEST_MOVE).answer.path == (1,)
    assert kept_open(chosen, BEST_MOVE).ending.kind == BROKE_PROTOCOL


def raised(code, text=b"", line=0, length=None):
    length = len(text) if length is None else length
    return request(protocol.RAISED, length, code, struct.pack("<q", line)) + text


def test_what_the_protocol_does_not_know_ends_the_search():
    for script in (
        *map(request, [0, protocol.LOADED, 77, 255]),  # operations
        *(request(protocol.ANSWER, 2**31, kind) for kind in (protocol.IS_OTHER, 9, 255)),
        request(protocol.ANSWER, 0, protocol.IS_BOOL),
        raised(200),
        raised(0, length=2**31),
    ):
        assert kept_open(script).ending.kind == BROKE_PROTOCOL


def test_half_a_frame_and_then_silence_times_out_and_the_end_is_a_death():
    assert kept_open(expand(0)[:7], limits=QUICK).ending.kind == TIMED_OUT
    trace = search(expand(0) + evaluate(1)[:7])
    assert (trace.ending.kind, trace.events) == (DIED, [(EXPAND, ())])


def test_a_flood_ends_when_the_budget_is_used_up():
    trace = kept_open(expand(0) * 200)
    assert (trace.ending.kind, len(trace.events)) == (OUT_OF_QUERIES, BUDGET + 1)


def test_names_are_not_visits_but_not_endless():
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
        trace = peer.conversation.search(MINIMAX)
        over.set()
        speaker.join()
    assert trace.ending.kind == TIMED_OUT


class Ready:
    """A poll that says that there is something to read where there is nothing."""

    def poll(self, _):
        return [(0, 1)]


def test_a_request_that_is_taken_back_before_it_is_read_costs_that_search_only():
    with Peer(QUICK) as peer:
        peer.conversation.channel._poll = Ready()
        assert peer.conversation.search(MINIMAX).ending.kind == TIMED_OUT


def test_an_exception_comes_as_a_known_name_its_text_and_its_line():
    code = protocol.KNOWN_ERRORS.index("KeyError")
    trace = kept_open(raised(code, b"KeyError: 'x'", 12))
    assert trace.ending == Ending(RAISED, "KeyError")
    assert trace.text == Text(message="KeyError: 'x'", line=12)


def test_a_line_number_out_of_bounds_is_dropped():
    for line in (-1, 0, 10**9):
        assert kept_open(raised(0, b"?", line)).text.line is None


def test_printed_text_is_capped_and_may_be_any_bytes():
    with Peer() as peer:
        peer.prints(b"\xff" * 9000).says(answer(1))
        assert len(peer.conversation.search(MINIMAX).text.printed) == protocol.MOST_TEXT


def made(data, length=None):
    length = len(data) if length is None else length
    return request(protocol.MADE, length) + data


def test_what_a_tool_made_is_bytes_that_the_grader_hands_on():
    for code in (b"any bytes", b""):
        with Peer() as peer:
            assert peer.says(made(code)).conversation.use_tool(b"x = 1") == (code, None)


def test_what_no_tool_made_is_a_file_that_does_not_load():
    for script, kind in (
        (made(b"", length=protocol.MOST_MADE + 1), BROKE_PROTOCOL),
        (request(protocol.LOADED), BROKE_PROTOCOL),
        (raised(protocol.KNOWN_ERRORS.index("SyntaxError"), b"SyntaxError: x"), RAISED),
        (made(b"half", length=9), TIMED_OUT),
    ):
        with Peer(QUICK) as peer:
            code, ended = peer.says(script).conversation.use_tool(b"x = 1")
        assert (code, ended.ending.kind, ended.ending.loading) == (None, kind, True)


SCRIPTS = st.one_of(
    st.builds(request, st.integers(0, 9), st.integers(0, 40), st.integers(0, 99)),
    st.builds(made, st.binary(max_size=40), st.integers(0, 40)),
    st.binary(max_size=40),
)


@settings(max_examples=300, deadline=None)
@given(SCRIPTS, st.binary(max_size=20))
def test_whatever_a_worker_with_a_tool_says_is_what_it_made_or_the_end_of_loading(
    script, rest
):
    stream = script + rest
    with Peer() as peer:
        code, ended = peer.says(stream).hangs_up().conversation.use_tool(b"x = 1")
    if code is None:
        assert ended.ending.loading
    else:
        size = protocol.REQUEST.size
        assert ended is None and stream[0] == protocol.MADE
        assert stream[size : size + len(code)] == code
