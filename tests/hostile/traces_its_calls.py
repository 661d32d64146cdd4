"""Traces and profiles itself, which slows down every line.

Expect: score 100
"""
import cProfile
import sys

# @HONEST@

_honest = minimax


def minimax(node, depth, maximizing):
    sys.settrace(lambda *_: None)
    try:
        return _honest(node, depth, maximizing)
    finally:
        sys.settrace(None)
