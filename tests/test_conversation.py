"""The grader's side of the protocol accepts valid bytes from a worker and no others."""

import io
import marshal
import os
import struct
import threading

import pytest
from helpers import copy_with, task_of, tasks_of

from autograder.sandbox import conversation, protocol
from autograder.sandbox.conversation import (
    ERRORS,
    Channel,
    Conversation,
    SearchFailure,
)
from autograder.scoring.rubric import Limits
from gametree import parse_tree
from gametree.functions import NODE, NUMBER
from gametree.support import trace as traces
from gametree.support.trace import Ending, Text

TREE = "[3, [1, 2.5]]"  # the root has handle 0, its children 1 and 2, the others 3 and 4
MINIMAX = task_of(TREE, "minimax")
ALPHABETA = task_of(TREE, "alphabeta")
BEST_MOVE = task_of(TREE, "best_move")
LAZY = """root: max
random: {branching: 2, depth: 2, values: [0, 9], seed: 1, order: random}
"""
BUDGET = 60  # of queries, in every search
PATIENT = Limits(60, 60, queries_base=BUDGET, queries_factor=0)
QUICK = Limits(5, 0.05, queries_base=BUDGET, queries_factor=0)  # for a silent worker


class Peer:
    """A Conversation with a worker that sends what the test says, and then waits.

    replies: the descriptor from which a worker reads.
    grader_ends: the descriptors of the grader.
    """

    def __init__(self, limits=PATIENT):
        self.replies, replies = os.pipe()
        requests, self._requests = os.pipe()
        self.grader_ends = (replies, requests)
        channel = Channel(os.getpid(), replies, requests, limits)
        self.conversation = Conversation(channel)

    def says(self, data):
        """Send bytes as the worker."""
        os.write(self._requests, data)
        return self

    def search(self, *tasks):
        """Return the Trace of the first task."""
        return next(self.conversation.search([(b"", task) for task in tasks]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._requests)
        os.close(self.replies)
        self.conversation.channel.close()


def request(operation, handle=0, kind=0, payload=bytes(8)):
    """Return the bytes of a request."""
    return protocol.REQUEST.pack(operation, kind, handle, payload)


def expand(handle):
    """Return the request for a node's children."""
    return request(protocol.EXPAND, handle)


def evaluate(handle):
    """Return the request for a node's value."""
    return request(protocol.EVALUATE, handle)


def answer(result, handle=0, payload=bytes(8)):
    """Return the bytes of a search that returned a number, or another kind of answer."""
    kind = result
    if isinstance(result, int):
        kind = protocol.AN_INT
        payload = struct.pack("<q", result)
    elif isinstance(result, float):
        kind = protocol.A_FLOAT
        payload = struct.pack("<d", result)
    return request(protocol.ANSWER, handle, protocol.ANSWERS.index(kind), payload)


def raised(code, text=b"", line=0, place=b""):
    """Return the bytes of a search that raised an exception."""
    content = place + b"\n" + text
    return request(protocol.RAISED, len(content), code, struct.pack("<q", line)) + content


def printed_frame(data):
    """Return the bytes of printed text."""
    return request(protocol.PRINTED, len(data)) + data


def search(script, task=ALPHABETA, limits=PATIENT):
    """Return the Trace of a search whose worker sends the script and then nothing."""
    with Peer(limits) as peer:
        return peer.says(script).search(task)


@pytest.mark.parametrize("number", [3, 2.5, -(2**63), 2**63 - 1])
def test_a_returned_number_keeps_its_value_and_type(number):
    found = search(answer(number)).answer.number
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize("name", protocol.ANSWERS)
def test_an_answer_of_another_type_has_a_name_from_the_table(name):
    kind = {protocol.AN_INT: NUMBER, protocol.A_FLOAT: NUMBER, protocol.A_NODE: NODE}
    assert search(answer(name)).answer.kind == kind.get(name, name)


BREACHES = {  # bytes that break the protocol
    "an unknown handle of a child": evaluate(1),
    "the highest handle": evaluate(2**32 - 1),
    "operation 0": request(0),
    "an operation of loading": request(protocol.LOADED),
    "an unknown operation": request(77),
    "an unknown kind of answer": request(protocol.ANSWER, 0, len(protocol.ANSWERS)),
    "a node that was not disclosed": answer(protocol.A_NODE, handle=2),
    "an unknown exception": raised(len(ERRORS)),
    "an exception whose text is too long": raised(0, b"x" * protocol.MAX_ERROR_BYTES),
    "an exception with an endless text": request(protocol.RAISED, 2**31),
    "printed text of no length": printed_frame(b""),
    "printed text that is too long": printed_frame(b"x") * (protocol.MAX_PRINTED + 1),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_of_the_protocol_ends_the_search(breach):
    trace = search(BREACHES[breach])
    assert trace.ending == Ending(traces.BROKE_PROTOCOL)
    assert trace.events == []


@pytest.mark.parametrize("script", [b"", expand(0)[:7]], ids=["nothing", "half a frame"])
def test_a_worker_that_sends_nothing_more_times_out(script):
    trace = search(script, limits=QUICK)
    assert trace.ending == Ending(traces.TIMED_OUT, reason=traces.SLEPT)
    assert trace.events == []


def test_the_grader_never_waits_in_a_pipe():
    with Peer() as peer:
        assert [os.get_blocking(end) for end in peer.grader_ends] == [False, False]


def test_a_worker_that_reads_no_replies_times_out():
    task = task_of(f"{{{'x' * 16}: 1, b: 2}}", "minimax")
    ask_name = request(protocol.NAME, 1)
    with Peer(QUICK._replace(queries_base=9999)) as peer:
        peer.says(expand(0) + ask_name * 4000)  # the replies are more than a pipe holds
        trace = peer.search(task)
    assert trace.ending == Ending(traces.TIMED_OUT, reason=traces.SLEPT)


@pytest.mark.parametrize("tree", [MINIMAX.tree, parse_tree(LAZY, "lazy")])
def test_a_handle_of_an_earlier_tree_is_refused(tree):
    (earlier,) = tasks_of(tree, functions=("minimax",))
    with Peer() as peer:
        peer.says(expand(0) + evaluate(1) + answer(3)).search(earlier)
        trace = peer.says(evaluate(1)).search(BEST_MOVE)
    assert (trace.ending, trace.events) == (Ending(traces.BROKE_PROTOCOL), [])


def test_a_second_search_of_a_tree_by_the_same_function_gets_the_same_nodes():
    with Peer() as peer:
        first = peer.says(expand(0) + evaluate(1) + answer(3)).search(MINIMAX)
        second = peer.says(expand(0) + evaluate(1) + answer(3)).search(MINIMAX)
    assert second.events == first.events


@pytest.mark.parametrize("size", [protocol.REQUEST.size, 1], ids=["requests", "bytes"])
def test_a_worker_that_sends_a_little_again_and_again_times_out(size, monkeypatch):
    monkeypatch.setattr(conversation, "MAX_SLOWDOWN", 0)
    is_over = threading.Event()

    def drip(peer, script):
        while not is_over.wait(0.01):
            peer.says(script[:size])
            script = script[size:] + script[:size]

    with Peer(PATIENT._replace(search_wall_seconds=0.2)) as peer:
        sender = threading.Thread(target=drip, args=(peer, request(protocol.NAME)))
        sender.start()
        trace = peer.search(MINIMAX)
        is_over.set()
        sender.join()
    assert trace.ending.kind == traces.TIMED_OUT


SMALL = [copy_with(task, is_small=True) for task in (MINIMAX, ALPHABETA)]
VISITS = expand(0) + evaluate(1) + expand(2) + evaluate(3) + evaluate(4)


class TestSmallTrees:
    def test_travel_together_and_get_no_replies(self):
        with Peer() as peer:
            peer.says(VISITS + answer(3))
            peer.says(expand(5) + evaluate(6) + answer(9))
            first, second = peer.conversation.search([(b"", task) for task in SMALL])
            assert replies_to(peer) == b""
        assert MINIMAX.is_met_by(first)
        assert (len(second.events), second.answer.number) == (2, 9)

    def test_have_a_budget_of_queries(self):
        with Peer() as peer:
            trace = peer.says(expand(0) * (BUDGET + 1)).search(*SMALL)
        assert trace.ending.kind == traces.OUT_OF_QUERIES
        assert len(trace.events) == BUDGET + 1

    @pytest.mark.parametrize("script, continues", [(answer(1), True), (b"", False)])
    def test_that_nobody_waits_for_can_be_skipped(self, script, continues):
        with Peer(QUICK) as peer:
            peer.says(answer(3)).search(*SMALL)
            peer.says(script)
            assert peer.conversation.drain() is continues


@pytest.mark.parametrize("tasks", [SMALL, [ALPHABETA]], ids=["small", "not small"])
@pytest.mark.parametrize("handle", [1, 3, 5, 99])
def test_a_node_below_one_that_was_not_expanded_is_refused(handle, tasks):
    with Peer() as peer:
        trace = peer.says(evaluate(handle) + answer(1)).search(*tasks)
    assert (trace.ending.kind, trace.events) == (traces.BROKE_PROTOCOL, [])


def replies_to(peer):
    """Return all bytes that the worker has received after its first order."""
    sent = io.BytesIO(os.read(peer.replies, 2**16))
    marshal.load(sent)
    return sent.read()


class TestAWorker:
    def test_gets_no_value_and_no_name_before_it_asks(self):
        task = task_of("{left: 31337.5, right: 2}", "minimax")
        with Peer() as peer:
            peer.says(expand(0) + answer(3)).search(copy_with(task, is_hidden=True))
            sent = os.read(peer.replies, 2**16)
        assert struct.pack("<d", 31337.5) not in sent
        assert b"left" not in sent

    def test_gets_a_value_once_and_keeps_it_for_later_searches_of_the_tree(self):
        with Peer() as peer:
            peer.says(expand(0) + evaluate(1) + evaluate(1) + answer(3)).search(MINIMAX)
            assert replies_to(peer) == marshal.dumps(3)
            later = copy_with(ALPHABETA, tree=MINIMAX.tree)
            trace = peer.says(expand(0) + evaluate(1) + answer(3)).search(later)
            assert replies_to(peer) == b""
        assert trace.visited == {(0,)}

    def test_gets_the_children_of_a_lazy_tree_when_it_asks(self):
        (task,) = tasks_of(parse_tree(LAZY, "lazy"), functions=("minimax",))
        with Peer() as peer:
            peer.says(expand(0) + answer(3)).search(task)
            assert replies_to(peer) == marshal.dumps((1, bytes(2)))


@pytest.mark.parametrize(
    "line, accepted",
    [(1, 1), (10**6 - 1, 10**6 - 1), (0, None), (10**6, None)],
)
def test_an_exception_has_a_known_name_a_text_and_a_possible_line(line, accepted):
    code = protocol.KNOWN_ERRORS.index("KeyError")
    trace = search(raised(code, b"KeyError: 'x'", line))
    assert trace.ending == Ending(traces.RAISED, "KeyError")
    assert trace.text == Text(message="KeyError: 'x'", line=accepted)


PLACES = {  # a place as the worker sends it -> path and arguments that are accepted
    "0 depth=2 alpha=-inf": ((), (("depth", 2.0), ("alpha", float("-inf")))),
    "0": ((), ()),
    "": (None, ()),
    "9": (None, ()),
    "x": (None, ()),
    "0 depth=many": (None, ()),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_has_the_node_and_the_arguments_of_its_call(place):
    text = search(raised(0, b"error", place=place.encode())).text
    assert text.message == "error"
    assert (text.path, text.arguments) == PLACES[place]


def test_printed_text_is_any_bytes_up_to_a_limit():
    with Peer() as peer:
        peer.says(printed_frame(b"\xff" * protocol.MAX_PRINTED) + answer(1))
        printed = peer.search(MINIMAX).text.printed
    assert printed == "\ufffd" * protocol.MAX_PRINTED


@pytest.mark.parametrize(
    "script, kind",
    [(answer(1), traces.BROKE_PROTOCOL), (raised(0), traces.RAISED)],
    ids=["answers", "raises"],
)
def test_a_failure_to_load_has_its_kind_of_ending(script, kind):
    with Peer() as peer, pytest.raises(SearchFailure) as caught:
        peer.says(script).conversation.load(b"")
    ending = caught.value.ending
    assert (ending.kind, ending.loading) == (kind, True)


def tool_result(data, length=None):
    """Return the bytes of a tool's result, with this length in its header."""
    return request(protocol.TOOL_RESULT, length or len(data)) + data


SYNTAX_ERROR = protocol.KNOWN_ERRORS.index("SyntaxError")


@pytest.mark.parametrize(
    "script, result",
    [
        (tool_result(b"any bytes"), b"any bytes"),
        (tool_result(b""), b""),
        (tool_result(b"half", length=9), b""),
        (request(protocol.LOADED), b""),
        (raised(SYNTAX_ERROR, b"SyntaxError: x"), b""),
    ],
    ids=["bytes", "nothing", "half a result", "another operation", "an exception"],
)
def test_a_tool_has_the_bytes_that_arrive_or_none_if_it_fails(script, result):
    with Peer(QUICK) as peer:
        assert peer.says(script).conversation.use_tool(b"x = 1") == result
