"""Sleeps while it is loaded.

Expect: score 0
Expect: says "search.py could not be loaded: it waited too long without searching"
"""
import time

time.sleep(10_000)
