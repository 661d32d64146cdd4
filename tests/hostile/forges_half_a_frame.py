"""Sends half a frame and then nothing.

Expect: score 80
Expect: says "it waited too long without searching"
"""
import os
import time

# @HONEST@


def best_move(node, depth, maximizing):
    os.write(node._queries._pipes._requests, b"\x01\x00\x00\x00\x00")
    time.sleep(1000)
