"""What else a worker may send: an exception, printed text, compiled code."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peer import (
    QUICK,
    SEARCH,
    TREE,
    Peer,
    answer,
    kept_open,
    request,
)

from autograder.sandbox import protocol
from gametree.trace import BROKE_PROTOCOL, RAISED, TIMED_OUT


def raised(code, text=b"", line=0, length=None):
    length = len(text) if length is None else length
    return request(protocol.RAISED, length, code, struct.pack("<q", line)) + text


def test_an_exception_comes_as_a_known_name_its_text_and_its_line():
    code = protocol.KNOWN_ERRORS.index("KeyError")
    ending = kept_open(raised(code, b"KeyError: 'x'", 12)).ending
    assert (ending.kind, ending.error, ending.line) == (RAISED, "KeyError", 12)
    assert ending.message == "KeyError: 'x'"


@pytest.mark.parametrize("script", [raised(200), raised(0, length=2**31)])
def test_an_exception_out_of_bounds_ends_the_search(script):
    assert kept_open(script).ending.kind == BROKE_PROTOCOL


@pytest.mark.parametrize("line", [-1, 0, 10**9])
def test_a_line_number_out_of_bounds_is_dropped(line):
    assert kept_open(raised(0, b"?", line)).ending.line is None


def test_printed_text_is_capped_and_may_be_any_bytes():
    with Peer() as peer:
        peer.prints(b"\xff" * 9000).says(answer(1))
        trace = peer.conversation.search(TREE, "minimax", SEARCH, 50)
    assert len(trace.printed) == protocol.MOST_TEXT


def compiled(data, length=None):
    length = len(data) if length is None else length
    return request(protocol.COMPILED, length) + data


@pytest.mark.parametrize(
    "script, code",
    [
        (compiled(b"any bytes"), b"any bytes"),
        (compiled(b""), b""),
    ],
)
def test_compiled_code_is_bytes_that_the_grader_hands_on(script, code):
    with Peer() as peer:
        assert peer.says(script).conversation.compile(b"x = 1") == (code, None)


@pytest.mark.parametrize(
    "script, kind",
    [
        (compiled(b"", length=protocol.MOST_CODE + 1), BROKE_PROTOCOL),
        (request(protocol.LOADED), BROKE_PROTOCOL),
        (raised(protocol.KNOWN_ERRORS.index("SyntaxError"), b"SyntaxError: x"), RAISED),
        (compiled(b"half", length=9), TIMED_OUT),
    ],
)
def test_what_is_no_compiled_code_is_a_file_that_does_not_load(script, kind):
    with Peer(QUICK) as peer:
        code, ending = peer.says(script).conversation.compile(b"x = 1")
    assert (code, ending.kind, ending.loading) == (None, kind, True)


SAID = st.one_of(
    st.builds(request, st.integers(0, 9), st.integers(0, 40), st.integers(0, 99)),
    st.builds(compiled, st.binary(max_size=40), st.integers(0, 40)),
    st.binary(max_size=40),
)


@settings(max_examples=300, deadline=None)
@given(SAID, st.binary(max_size=20))
def test_whatever_a_compiling_worker_says_is_code_or_the_end_of_loading(said, rest):
    stream = said + rest
    with Peer() as peer:
        code, ending = peer.says(stream).hangs_up().conversation.compile(b"x = 1")
    if code is None:
        assert ending.loading
    else:
        size = protocol.REQUEST.size
        assert ending is None and stream[0] == protocol.COMPILED
        assert stream[size : size + len(code)] == code
