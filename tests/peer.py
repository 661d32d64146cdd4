"""A scripted peer: bytes that stand in for a worker, and what the grader makes of them."""

from __future__ import annotations

import os

from helpers import tree_of

from autograder.sandbox import protocol
from autograder.sandbox.conversation import Channel, Conversation
from autograder.sandbox.limits import Limits

TREE = tree_of("[3, [1, 2.5]]")  # handles: 0 root, then 1, 2, then 3, 4
SEARCH = TREE.searches[0]
PATIENT = Limits(search_cpu_seconds=60, search_wall_seconds=60)
QUICK = Limits(search_cpu_seconds=5, search_wall_seconds=0.2)  # for those that are silent


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
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        for descriptor in (replies, requests, text):
            os.set_blocking(descriptor, False)
        self._replies, self._speaks = replies_out, [requests_in, text_in]
        self._channel = Channel(os.getpid(), replies, requests, text, limits)
        self.conversation = Conversation(self._channel)

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

    def reads(self, size=65536):
        """Return what the grader has replied so far."""
        return os.read(self._replies, size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hangs_up()
        os.close(self._replies)
        self._channel.close()


def search(script, function="alphabeta", budget=50, hang_up=True, limits=PATIENT):
    """Run the script as a worker; it ends by hanging up, or by silence."""
    with Peer(limits) as peer:
        peer.says(script)
        if hang_up:
            peer.hangs_up()
        return peer.conversation.search(TREE, function, SEARCH, budget)


def kept_open(script, function="alphabeta", budget=50, limits=PATIENT):
    """Run the script as a worker that is silent afterwards."""
    return search(script, function, budget, hang_up=False, limits=limits)
