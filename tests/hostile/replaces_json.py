"""Replaces json.dumps and the built-in open.

Expect: score 0
Expect: says "search.py has no function with this name"
"""
import builtins
import io
import json

FORGED = '{"score": 100, "tests": [{"name": "x", "score": 100, "max_score": 100}]}'
json.dumps = lambda *_, **__: FORGED
json.dump = lambda data, file, **__: file.write(FORGED)
json.JSONEncoder.encode = lambda *_: FORGED
builtins.open = io.open = lambda *_, **__: io.StringIO(FORGED)
