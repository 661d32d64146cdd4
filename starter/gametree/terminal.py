"""What a terminal, a pipe or a file can show, and how it is told."""

from __future__ import annotations

import os
import shutil
import sys

BOXES = "│─┌┼●○"
NARROWEST = 40


def drawing_options(stream=None):
    """Return the width, ascii and colour that suit a stream, as draw() takes them.

    Colour is for terminals only, and never where NO_COLOR is set. A stream that
    cannot encode box-drawing characters gets ASCII; one that is no terminal, 80 columns.
    """
    stream = stream or sys.stdout
    terminal = stream.isatty()
    width = shutil.get_terminal_size().columns if terminal else 80
    return {
        "width": max(width, NARROWEST),
        "ascii": not _encodes(stream, BOXES),
        "colour": terminal and not os.environ.get("NO_COLOR") and _knows_colours(),
    }


def say(text="", stream=None):
    """Print text; characters that the stream cannot encode become question marks."""
    stream = stream or sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    safe = text.encode(encoding, "replace").decode(encoding)
    print(safe, file=stream, flush=True)


def _encodes(stream, text):
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _knows_colours():
    if os.name == "nt":
        return "WT_SESSION" in os.environ or "ANSICON" in os.environ
    return os.environ.get("TERM", "dumb") != "dumb"
