"""Logs every call to a file, and writes other files in all common ways.

Expect: score 100
"""
import json
import logging
from pathlib import Path

# @HONEST@

logging.basicConfig(filename="search.log", level=logging.DEBUG)
Path("begun.txt").write_text("begun\n")
table = open("table.csv", "w", newline="")
with open("/tmp/hostile-counts.json", "x+") as file:
    json.dump({"calls": 0}, file)
_honest = minimax


def minimax(node, depth, maximizing):
    logging.info("at %s, %s plies left", node.name, depth)
    table.write(f"{node.name},{depth}\n")
    with open("calls.txt", "a", encoding="utf-8") as calls:
        print(node.name, file=calls)
    Path("last.bin").write_bytes(b"x" * 100_000)
    return _honest(node, depth, maximizing)
