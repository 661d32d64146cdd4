"""What each layer of hardening is for: which submissions get through without it.

`python tests/hostile_figures.py [LAYER[+LAYER] ...]` grades all hostile submissions as
root (if you are) and as an ordinary user, with every layer and then with each one off in
turn, and prints Markdown tables. Takes some minutes.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parent.parent))

from hostile_ground import UIDS, attacks, breaches, expectation, graded, names, rows_of

from autograder.sandbox.hardening import NAMES


def trying():
    """Return the names of those that try something forbidden, or use something up."""
    return [name for name in names() if expectation(name).score < 100 or name in attacks()]


def through(reports, rows):
    """Return the names of the submissions that got what they should not have."""
    return [n for n, report in reports.items() if breaches(report, expectation(n), rows)]


def main(layers):
    """Print the tables."""
    print("| user | held | of | layers | slowest, s | median, s |\n" + "|---" * 6 + "|")
    rows = None
    for user in UIDS:
        reports, held = graded(user)
        rows = rows or rows_of(reports)
        seconds = {n: r["seconds"] for n, r in reports.items() if r}
        slowest = max(seconds, key=seconds.get)
        print(f"| {user} | {len(reports) - len(through(reports, rows))} "
              f"| {len(reports)} | {len(held)} | {seconds[slowest]:.2f} ({slowest}) "
              f"| {statistics.median(seconds.values()):.3f} |", flush=True)  # fmt: skip
    print("\n| layers off | user | get through | which |\n|---|---|---|---|")
    for layer in layers or NAMES:
        for user in UIDS:
            got = through(graded(user, tuple(layer.split("+")), trying())[0], rows)
            print(f"| {layer} | {user} | {len(got)} | {', '.join(got)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
