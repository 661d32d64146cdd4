"""Prints its steps, sets up its output for Windows, and searches correctly.

Expect: score 100
"""
import io
import logging
import pprint
import sys

# @HONEST@

sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
sys.stdout.buffer.write(b"bytes\n")
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
_honest = minimax


def minimax(node, depth, maximizing):
    print("at", node, "\u03b1 \u03b2", flush=True)
    print(node.name, file=sys.stderr, end="")
    logging.debug("depth %d", depth)
    pprint.pprint({"node": node})
    sys.stdout.writelines(["a\n", "b\n"])
    return _honest(node, depth, maximizing)
