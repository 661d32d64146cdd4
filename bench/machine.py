"""Where and when something was measured."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from autograder.utilities import cores


def machine():
    """Return two lines: date and load, processor and Python."""
    load = " ".join(f"{each:.2f}" for each in os.getloadavg())
    return (
        f"{time.strftime('%d %B %Y, %H:%M UTC', time.gmtime())}; load {load}\n"
        f"{_processor()}, {cores()} cores; {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}"
    )


def _processor():
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
