"""Registers a function that writes results.json when the process ends.

Expect: score 0
Expect: says "search.py has no function with this name"
"""
import atexit
import os
import signal


def forge(*_):
    file = os.open("@HOME@/results/results.json", os.O_WRONLY)
    os.write(file, b'{"score": 100, "tests": []}')


atexit.register(forge)
signal.signal(signal.SIGTERM, forge)
signal.signal(signal.SIGHUP, forge)
os.register_at_fork(after_in_parent=forge)
