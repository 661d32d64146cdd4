"""A scripted worker, for tests of the grader's side of the protocol."""

import os

from autograder.sandbox import Limits
from autograder.sandbox.conversation import Channel, Conversation

BUDGET = 60  # of queries, in every search
PATIENT = Limits(60, 60, queries_base=BUDGET, queries_factor=0)


class Peer:
    """A Conversation with a worker that sends what the test says, then closes or waits.

    replies: the descriptor from which a worker reads.
    grader_ends: the descriptors of the grader.
    """

    def __init__(self, limits=PATIENT):
        self.replies, replies = os.pipe()
        requests, self._requests = os.pipe()
        self.grader_ends = (replies, requests)
        self._is_open = True
        channel = Channel(os.getpid(), replies, requests, limits)
        self.conversation = Conversation(channel)

    def says(self, data):
        """Send bytes as the worker."""
        os.write(self._requests, data)
        return self

    def search(self, *tasks):
        """Return the Trace of the first task."""
        return next(self.conversation.search([(b"", task) for task in tasks]))

    def hangs_up(self):
        """Close the end that the worker writes to. The grader can still write."""
        if self._is_open:
            os.close(self._requests)
        self._is_open = False
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hangs_up()
        os.close(self.replies)
        self.conversation.channel.close()
