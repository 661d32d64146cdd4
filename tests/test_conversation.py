"""The grader's side of the protocol, against a scripted worker that may say anything."""

import struct
import threading

import pytest
from helpers import task_of
from peer import BUDGET, PATIENT, Peer

from autograder.sandbox import Limits, protocol
from gametree.course import ASSIGNED
from gametree.support import trace as traces
from gametree.support.trace import Ending, Text

# Handles: 0 root, then 1, 2, then 3, 4.
MINIMAX, ALPHABETA, BEST_MOVE = (task_of("[3, [1, 2.5]]", name) for name in ASSIGNED)
QUICK = Limits(5, 0.2, queries_base=BUDGET, queries_factor=0)  # for those that are silent


def request(operation, handle=0, kind=0, payload=bytes(8)):
    """Return one request as a worker would send it."""
    return protocol.REQUEST.pack(operation, kind, handle, payload)


def expand(handle):
    """Ask for children."""
    return request(protocol.EXPAND, handle)


def evaluate(handle):
    """Ask for a value."""
    return request(protocol.EVALUATE, handle)


def answer(number):
    """Return a number."""
    kind, payload = protocol.pack_number(number)
    return request(protocol.ANSWER, 0, kind, payload)


def raised(code, text=b"", line=0, length=None):
    """Say that an exception was raised."""
    length = len(text) if length is None else length
    return request(protocol.RAISED, length, code, struct.pack("<q", line)) + text


def made(data, length=None):
    """Hand over what a tool made."""
    return request(protocol.TOOL_RESULT, len(data) if length is None else length) + data


def searched(script, task=ALPHABETA, limits=PATIENT):
    """Return the Trace of a worker that says this and is silent afterwards."""
    with Peer(limits) as peer:
        return peer.says(script).conversation.search(task)


def test_an_answer_is_a_number_as_it_is_or_a_node_that_was_disclosed():
    assert isinstance(searched(answer(3)).answer.number, int)
    assert searched(answer(2.5)).answer.number == 2.5
    chosen = request(protocol.ANSWER, 2, protocol.IS_NODE)
    assert searched(expand(0) + chosen, BEST_MOVE).answer.path == (1,)
    assert searched(chosen, BEST_MOVE).ending.kind == traces.BROKE_PROTOCOL


ASK_NAME = request(protocol.NAME)
ENDINGS = {  # how a search ends, after how many visits -> what the worker says
    (traces.BROKE_PROTOCOL, 0): [
        *map(evaluate, (1, 3, 99, 2**32 - 1)),  # handles that were not disclosed
        *map(request, (0, protocol.LOADED, 77, 255)),  # operations
        *(request(protocol.ANSWER, 2**31, kind) for kind in (protocol.IS_OTHER, 9, 255)),
        *(raised(200), raised(0, length=2**31)),
    ],
    (traces.OUT_OF_QUERIES, BUDGET + 1): [expand(0) * 200],
    (traces.OUT_OF_QUERIES, 0): [ASK_NAME * 200],  # names are no visits, but not endless
    (traces.RETURNED, 0): [ASK_NAME + answer(1)],
    (traces.TIMED_OUT, 0): [b"", expand(0)[:7]],
}


@pytest.mark.parametrize("end", ENDINGS)
def test_what_a_worker_says_ends_that_search_only(end):
    for script in ENDINGS[end]:
        trace = searched(script, limits=QUICK if end[0] == traces.TIMED_OUT else PATIENT)
        assert (trace.ending.kind, len(trace.events)) == end, script


def test_a_handle_of_an_earlier_search_is_refused_and_the_end_is_a_death():
    with Peer() as peer:
        peer.says(expand(0) + evaluate(1) + answer(3)).conversation.search(MINIMAX)
        again = peer.says(evaluate(1)).conversation.search(MINIMAX)
        peer.says(evaluate(3)[:7]).hangs_up()
        last = peer.conversation.search(MINIMAX)
    assert (again.ending.kind, again.events) == (traces.BROKE_PROTOCOL, [])
    assert (last.ending.kind, last.events) == (traces.DIED, [])


@pytest.mark.parametrize("size", [protocol.REQUEST.size, 1], ids=["requests", "bytes"])
def test_a_worker_that_is_never_silent_for_long_times_out_all_the_same(size):
    over = threading.Event()

    def drip(peer, script):
        while not over.wait(0.01):
            peer.says(script[:size])
            script = script[size:] + script[:size]

    with Peer(QUICK) as peer:
        speaker = threading.Thread(target=drip, args=(peer, ASK_NAME))
        speaker.start()
        trace = peer.conversation.search(MINIMAX)
        over.set()
        speaker.join()
    assert trace.ending.kind == traces.TIMED_OUT


class Ready:
    """A poll that says that there is something to read where there is nothing."""

    def poll(self, _):
        return [(0, 1)]


def test_a_request_that_is_taken_back_before_it_is_read_costs_that_search_only():
    with Peer(QUICK) as peer:
        peer.conversation.channel._poll = Ready()
        assert peer.conversation.search(MINIMAX).ending.kind == traces.TIMED_OUT


def test_an_exception_comes_as_a_known_name_its_text_and_its_line():
    code = protocol.KNOWN_ERRORS.index("KeyError")
    for line, told in ((12, 12), (-1, None), (0, None), (10**9, None)):
        trace = searched(raised(code, b"KeyError: 'x'", line))
        assert trace.ending == Ending(traces.RAISED, "KeyError")
        assert trace.text == Text(message="KeyError: 'x'", line=told)


def test_printed_text_is_capped_and_may_be_any_bytes():
    with Peer() as peer:
        peer.says(answer(1), printing=b"\xff" * 9000)
        assert len(peer.conversation.search(MINIMAX).text.printed) == protocol.MAX_PRINTED


def test_what_a_tool_made_is_bytes_and_all_else_is_nothing():
    code = protocol.KNOWN_ERRORS.index("SyntaxError")
    for script, expected in (
        *((made(data), data) for data in (b"any bytes", b"")),
        (made(b"", length=protocol.MAX_RESULT_BYTES + 1), b""),
        (request(protocol.LOADED), b""),
        (raised(code, b"SyntaxError: x"), b""),
        (made(b"half", length=9), b""),
    ):
        with Peer(QUICK) as peer:
            assert peer.says(script).conversation.use_tool(b"x = 1") == expected
