"""A scripted peer: bytes that stand in for a worker, and what the grader makes of them."""

from __future__ import annotations

import os

from helpers import task_of

from autograder.sandbox import Limits, protocol
from autograder.sandbox.conversation import Channel, Conversation

# Handles: 0 root, then 1, 2, then 3, 4.
MINIMAX, ALPHABETA, BEST_MOVE = (
    task_of("[3, [1, 2.5]]", name) for name in ("minimax", "alphabeta", "best_move")
)
BUDGET = 60  # of queries, in every search
PATIENT = Limits(60, 60, queries_base=BUDGET, queries_factor=0)
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


class Peer:
    """A conversation whose worker says what it is told to, then hangs up or waits."""

    def __init__(self, limits=PATIENT):
        self._replies, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        for descriptor in (replies, requests, text):
            os.set_blocking(descriptor, False)
        self._speaks = [requests_in, text_in]
        self.conversation = Conversation(
            Channel(os.getpid(), replies, requests, text, limits)
        )

    def says(self, data):
        """Write bytes as the worker."""
        os.write(self._speaks[0], data)
        return self

    def prints(self, data):
        """Write bytes to the text pipe as the worker."""
        os.write(self._speaks[1], data)
        return self

    def hangs_up(self):
        """Say no more: close the ends that the worker writes to, and go on reading."""
        while self._speaks:
            os.close(self._speaks.pop())
        return self

    def replies(self, task):
        """Return what the grader has replied in its one search so far."""
        arguments = task.search.arguments(task.function)
        order = protocol.pack_task(0, False, task.function, arguments)
        return os.read(self._replies, 65536)[len(order) :]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hangs_up()
        os.close(self._replies)
        self.conversation.channel.close()


def search(script, task=ALPHABETA, limits=PATIENT):
    """Return the Trace of a worker that says this and hangs up."""
    with Peer(limits) as peer:
        return peer.says(script).hangs_up().conversation.search(task)


def kept_open(script, task=ALPHABETA, limits=PATIENT):
    """Return the Trace of a worker that says this and is silent afterwards."""
    with Peer(limits) as peer:
        return peer.says(script).conversation.search(task)
