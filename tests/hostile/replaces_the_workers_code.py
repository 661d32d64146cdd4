"""Rewrites the worker's functions for reports, which it finds through its frames.

Expect: score 0
Expect: says "returned 1, expected 5"
Expect: says "the visited leaves do not prove it"
"""
import sys


def _forge(looks, *_):
    looks.send(4, 1, 0, (1).to_bytes(8, "little"))


_frame = sys._getframe()
while _frame is not None:
    if "report_answer" in _frame.f_globals:
        _frame.f_globals.update(report_answer=_forge, report_error=_forge)
    _frame = _frame.f_back


def minimax(node, depth, maximizing):
    raise ValueError("turned into the answer 1")


def alphabeta(node, depth, alpha, beta, maximizing):
    return "turned into the answer 1"


def best_move(node, depth, maximizing):
    return node
