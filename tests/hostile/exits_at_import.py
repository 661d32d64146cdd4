"""Calls os._exit while it is loaded.

Expect: score 0
Expect: says "search.py could not be loaded: its process ended before it returned"
"""
import os

os._exit(0)
