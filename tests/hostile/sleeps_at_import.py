"""Sleeps while it is loaded.

Expect: score 0
Expect: says "search.py could not be loaded: it ran out of time"
"""
import time

time.sleep(10_000)
