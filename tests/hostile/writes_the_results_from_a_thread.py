"""Starts a thread that writes results.json later.

Expect: score 0
Expect: says "search.py could not be loaded: it raised RuntimeError"
"""
import threading
import time


def forge():
    time.sleep(0.5)
    open("@HOME@/results/results.json", "w").write('{"score": 100, "tests": []}')


threading.Thread(target=forge).start()
