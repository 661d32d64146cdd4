"""What each layer of hardening is for: which submissions get through without it.

`python tests/hostile_figures.py [LAYER ...]` grades all hostile submissions as root (if
you are) and as an ordinary user, with every layer and then with each one off in
turn, and prints Markdown tables. Takes some minutes.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parent.parent))

from hostile_ground import HOSTILE, breaches, expectation, graded, names, rows_of

from autograder.sandbox.hardening import NAMES


def attacks():
    """Return the names of those that try something forbidden, or use something up."""
    return [name for name in names() if not honest(name)]


def honest(name):
    """Tell whether a submission is odd at worst: right, or refused before it is run."""
    file = HOSTILE / f"{name}.py"
    return (
        not file.exists()
        or b"BREACH" not in file.read_bytes()
        and (expectation(name).score == 100)
    )


def through(reports, rows):
    """Return the names of the submissions that got what they should not have."""
    return [n for n, report in reports.items() if breaches(report, expectation(n), rows)]


def main(layers):
    """Print the tables."""
    whole = graded()
    rows = {user: rows_of(reports) for user, (reports, _) in whole.items()}
    print("| user | held | of | layers | slowest, s | median, s |\n" + "|---" * 6 + "|")
    for user, (reports, held) in whole.items():
        seconds = {n: r["seconds"] for n, r in reports.items() if r}
        slowest = max(seconds, key=seconds.get)
        print(f"| {user} | {len(reports) - len(through(reports, rows[user]))} "
              f"| {len(reports)} | {len(held)} | {seconds[slowest]:.2f} ({slowest}) "
              f"| {statistics.median(seconds.values()):.3f} |", flush=True)  # fmt: skip
    print("\n| layer off | user | get through | which |\n|---|---|---|---|")
    for layer in layers or NAMES:
        begun = time.monotonic()
        for user, (reports, _) in graded((layer,), attacks()).items():
            got = through(reports, rows[user])
            print(f"| {layer} | {user} | {len(got)} | {', '.join(got)} |", flush=True)
        print(f"{layer}: {time.monotonic() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
