"""Redirects its prints to /dev/null, to a StringIO and to its own file object.

Expect: score 100
"""
import contextlib
import io
import os
import sys

# @HONEST@

_minimax, _best_move = minimax, best_move


class Mute:
    __slots__ = ()

    def write(self, text):
        return len(text)


def minimax(node, depth, maximizing):
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        print("nobody reads this")
        return _minimax(node, depth, maximizing)


def best_move(node, depth, maximizing):
    sys.stdout = Mute()
    with contextlib.redirect_stderr(io.StringIO()):
        return _best_move(node, depth, maximizing)
