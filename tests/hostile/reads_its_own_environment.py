"""Searches its environment for secrets, including the copy of the C library.

Expect: score 100
"""
import ctypes
import os

# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    everything = str(os.environ) + str(os.environb)
    place = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    index = 0
    while place and place[index]:
        everything += str(place[index])
        index += 1
    if "canary" in everything or "@HOME@" in everything:
        raise RuntimeError("BREACH " + everything)
    return _honest(node, depth, maximizing)
