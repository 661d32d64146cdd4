"""A scripted worker, for tests of the grader's side of the protocol."""

import os

from autograder.sandbox import Limits
from autograder.sandbox.conversation import Channel, Conversation

BUDGET = 60  # of queries, in every search
PATIENT = Limits(60, 60, queries_base=BUDGET, queries_factor=0)


class Peer:
    """A Conversation with a worker that sends what the test says, then closes or waits."""

    def __init__(self, limits=PATIENT):
        self._replies, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        for descriptor in (replies, requests, text):
            os.set_blocking(descriptor, False)
        self._speaks = [requests_in, text_in]
        channel = Channel(os.getpid(), replies, requests, text, limits)
        self.conversation = Conversation(channel)

    def says(self, data, printing=b""):
        """Send bytes as the worker, and printed text to the text pipe."""
        os.write(self._speaks[0], data)
        os.write(self._speaks[1], printing)
        return self

    def hangs_up(self):
        """Close the ends that the worker writes to. The grader can still write."""
        while self._speaks:
            os.close(self._speaks.pop())
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hangs_up()
        os.close(self._replies)
        self.conversation.channel.close()
