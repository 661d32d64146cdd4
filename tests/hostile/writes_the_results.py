"""Writes results.json itself.

Expect: score 0
Expect: says "search.py could not be loaded: it raised FileNotFoundError"
"""
import os

file = os.open("@HOME@/results/results.json", os.O_WRONLY | os.O_TRUNC)
os.write(file, b'{"score": 100, "tests": []}')
