"""Forks twice into a new session and waits for the grader to end.

Expect: score 0
Expect: says "search.py could not be loaded: it raised PermissionError"
"""
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(20)
        file = os.open("@HOME@/results/results.json", os.O_WRONLY)
        os.write(file, b'{"score": 100, "tests": []}')
    os._exit(0)
