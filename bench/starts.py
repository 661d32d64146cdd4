"""What it takes to begin: `python -m bench.starts` prints milliseconds as JSON."""

from __future__ import annotations

import json
import statistics
import time

import yaml

from bench.sandboxed import REFERENCE, ROOT, pinned_sandbox
from gametree import load_trees

ZYGOTES, WORKERS, LOADS = 5, 60, 5
FOLDERS = (ROOT / "trees" / "public", ROOT / "trees" / "hidden")


def median_of(turns, act):
    """Return the median milliseconds of `turns` calls, after one that is not counted."""
    act()
    spans = []
    for _ in range(turns):
        begun = time.perf_counter()
        act()
        spans.append(1000 * (time.perf_counter() - begun))
    return statistics.median(spans)


def zygote():
    """Start a sandbox and stop it."""
    with pinned_sandbox():
        pass


def our_loader():
    """Load every tree, with its checks and its names."""
    for folder in FOLDERS:
        load_trees(folder)


def plain_loader(loader):
    """Return a function that parses the same files and builds nothing."""

    def load():
        for folder in FOLDERS:
            for path in folder.glob("*.yaml"):
                yaml.load(path.read_text(encoding="utf-8"), Loader=loader)

    return load


def main():
    """Measure and print."""
    found = {"a sandbox: start and stop": median_of(ZYGOTES, zygote)}
    with pinned_sandbox() as sandbox:
        for name, source in (("an empty file", b""), ("the reference", REFERENCE)):
            start = lambda source=source: sandbox.start_worker(source)  # noqa: E731
            found[f"a worker with {name}: start and stop"] = median_of(WORKERS, start)
    found["all trees: load and check"] = median_of(LOADS, our_loader)
    if hasattr(yaml, "CSafeLoader"):
        plain = median_of(LOADS, plain_loader(yaml.CSafeLoader))
        found["all trees: bare yaml.CSafeLoader"] = plain
    plain = median_of(LOADS, plain_loader(yaml.SafeLoader))
    found["all trees: bare yaml.safe_load"] = plain
    print(json.dumps(found))


if __name__ == "__main__":
    main()
