"""Starts a thread that writes results.json later.

Expect: score 0
Expect: says "search.py could not be loaded: it raised RuntimeError"
"""
import os
import threading
import time


def forge():
    time.sleep(0.5)
    file = os.open("@HOME@/results/results.json", os.O_WRONLY)
    os.write(file, b'{"score": 100, "tests": []}')


threading.Thread(target=forge).start()
