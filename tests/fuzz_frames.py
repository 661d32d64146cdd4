"""Random frames for the grader's side of the protocol, and a model of what they mean.

The model reads the same bytes in its own way. Events, ending, answer and every byte of
the grader's replies must be the model's, so that a wrong visit cannot hide.
"""

from __future__ import annotations

import random
import struct
from collections import Counter

from helpers import tasks_of
from peer import BUDGET, Peer

from autograder.sandbox import protocol
from gametree import parse_tree
from gametree.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    OUT_OF_QUERIES,
    RAISED,
    RETURNED,
)

TASKS = [
    tasks_of(parse_tree(f"root: max\n{text}\n", "fuzz"), functions=("alphabeta",))[0]
    for text in (
        "tree: [3, [1, 2.5]]",
        "tree: 7",
        "tree: [[1, [2, 3, [4]]], {value: -5, children: [99999999.5, -0.5]}, 0]",
        "random: {branching: 3, depth: 6, values: [-9, 9], seed: 5, order: random}",
        "game: {name: coins, coins: 4}",
    )
]
SEARCHES = 4


def frame(chance, base, known):
    """Return a request, likely or not; handles from `base` on, `known` many, are shown."""
    kind = chance.random()
    likely = chance.random() < 0.995
    handle = base + chance.randrange(known) if likely else chance.randrange(2**32)
    pack, payload = protocol.REQUEST.pack, chance.randbytes(8)
    if kind < 0.95:
        return pack(chance.choice((1, 1, 2, 2, 2, 3)), 0, handle, payload)
    if kind < 0.98:
        answer = chance.choice((0, 1, 2, 2, 3, 9))
        return pack(4, answer, handle if answer == 2 else chance.randrange(20), payload)
    if kind < 0.985:
        text = chance.randbytes(chance.randrange(500))
        return pack(5, chance.randrange(60), len(text), payload) + text
    if kind < 0.99:
        return pack(chance.randrange(256), 0, handle, payload)
    return chance.randbytes(chance.randrange(1, 33)) if kind < 0.994 else b""


class Model:
    """What the bytes of a worker mean, search after search.

    With `chance` the bytes are made up as they are needed, so that many of them mean
    something; `spoken` is all that was made up.
    """

    def __init__(self, stream=b"", chance=None):
        self.stream, self.spoken, self.chance = stream, stream, chance
        self.base, self.frames = 0, 0

    def take(self, size, known=1):
        """Return the next bytes, or None at the end."""
        while self.chance is not None and len(self.stream) < size:
            more = frame(self.chance, self.base, known)
            self.stream, self.spoken = self.stream + more, self.spoken + more
            if not more:
                self.chance = None
        taken, self.stream = self.stream[:size], self.stream[size:]
        return taken if len(taken) == size else None

    def search(self, tree):
        """Return (events, ending, answer, replies) of one search."""
        shown, first = [tree.root], {}
        events, replies = [], b""

        def done(ending, answer=None):
            self.base += len(shown)
            return events, ending, answer, replies

        for _ in range(BUDGET + 1):
            request = self.take(16, len(shown))
            if request is None:
                return done(DIED)
            self.frames += 1
            operation, kind, handle, payload = struct.unpack("<BBxxI8s", request)
            known = self.base <= handle < self.base + len(shown)
            position = shown[handle - self.base] if known else None
            if operation in (1, 2, 3) and not known:
                return done(BROKE_PROTOCOL)
            if operation == 1:
                events.append((EXPAND, position.path))
                if handle not in first:
                    first[handle] = self.base + len(shown)
                    shown += position.children
                ends = bytes(not child.children for child in position.children)
                replies += struct.pack("<II", first[handle], len(ends)) + ends
            elif operation == 2:
                events.append((EVALUATE, position.path))
                value = position.static_value()
                whole = isinstance(value, int)
                replies += struct.pack("<Bq" if whole else "<Bd", 0 if whole else 1, value)
            elif operation == 3:
                name = position.name.encode()
                replies += struct.pack("<I", len(name)) + name
            elif operation == 4:
                if kind == 2 and known:
                    return done(RETURNED, position.path)
                if kind in (0, 1):
                    number = struct.unpack("<q" if kind == 0 else "<d", payload)[0]
                    return done(RETURNED, number)
                if kind == 3 and handle < len(protocol.OTHER_ANSWERS):
                    return done(RETURNED, protocol.OTHER_ANSWERS[handle])
                return done(BROKE_PROTOCOL)
            elif operation == 5:
                if kind >= len(protocol.KNOWN_ERRORS) or handle > 400:
                    return done(BROKE_PROTOCOL)
                return done(DIED if self.take(handle) is None else RAISED)
            else:
                return done(BROKE_PROTOCOL)
        return done(OUT_OF_QUERIES)


def converse(chance):
    """Run some searches against one random worker; return (frames, Counter of endings)."""
    model = Model(chance=random.Random(chance.random()))
    tasks = [chance.choice(TASKS) for _ in range(SEARCHES)]
    meant = [model.search(task.tree) for task in tasks]
    endings = Counter()
    with Peer() as peer:
        peer.prints(chance.randbytes(chance.randrange(3000)))
        peer.says(model.spoken).hangs_up()
        for task, (events, ending, answer, replies) in zip(tasks, meant):
            trace = peer.conversation.search(task)
            assert trace.events == events, (trace.events, events)
            assert trace.ending.kind == ending, (trace.ending, ending)
            own = trace.answer.number, trace.answer.path, trace.answer.kind
            assert answer is None or answer in own or answer != answer, (own, answer)
            assert peer.replies(task) == replies
            endings[ending] += 1
    return model.frames, endings


def check_frames(frames, seed):
    """Have the grader read that many random frames; return (searches, endings)."""
    done, case, endings = 0, 0, Counter()
    while done < frames:
        try:
            read, ended = converse(random.Random(f"{seed} {case}"))
        except Exception as error:
            raise AssertionError(f"frames, seed {seed} case {case}: {error!r}") from error
        done, case = done + read, case + 1
        endings += ended
    return case * SEARCHES, endings
