"""Random input for the parts that read what others wrote; every case from a seed.

`python tests/fuzz.py --frames 1000000 --trees 20000 --results 2000 [--seed 1]` is the long
run; `make test` takes a quick sample. A failure names the seed that shows it again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

import autograder  # noqa: F401  puts starter/ on the path
from autograder.judging.scores import Row
from autograder.results import graded_case, run_case, write_results
from gametree import Tree, TreeError, load_tree, parse_tree

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parent))

from fuzz_frames import check_frames
from results_schema import problems_of_text

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("trees/public", "trees/hidden", "trees/invalid", "tests/hostile/trees/hidden")
SCRAPS = (
    *("{", "}", "[", "]", ":", ": ", ",", "-", "- ", "?", "&a ", "*a", "<<: ", "|", ">"),
    *("%", "@", "`", "'", '"', "#", "\t", "\n", "\r", "\0", "\ufeff", "\u2028", "\ud7ff"),
    *("!!python/name:os.system ", "\U0001f600", ".inf", "-.inf", ".nan", "1e999", "0x1F"),
    *("0o17", "1_000", "1:30", "2024-01-01", "true", "null", "~", "9" * 400, "-0", "tree"),
    *("tree:", "searches:", "published:", "random:", "game:", "root: max", "children"),
    *("value", "depth", "---", "...", "[" * 300, "{a: " * 200),
)


def seeds_of_trees():
    """Return the bytes of every tree file that the kit has, good and bad."""
    paths = [path for name in FOLDERS for path in sorted((ROOT / name).glob("*.yaml"))]
    return [path.read_bytes() for path in paths]


def mutated(chance, corpus):
    """Return a tree file with some bytes, lines or words of it changed."""
    data = bytearray(chance.choice(corpus))
    if chance.random() < 0.03:
        return chance.randbytes(chance.randrange(300))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        here, there = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        there = min(there, here + 40)
        act = chance.randrange(6)
        if act == 0:
            del data[here:there]
        elif act == 1:
            data[here:here] = chance.choice(SCRAPS).encode("utf-8", "surrogatepass")
        elif act == 2:
            data[here:there] = chance.choice(SCRAPS).encode("utf-8", "surrogatepass")
        elif act == 3:
            data[here:here] = data[here:there] * chance.choice((1, 2, 50))
        elif act == 4:
            data[here : here + 1] = chance.randbytes(1)
        else:
            lines = data.split(b"\n")
            chance.shuffle(lines)
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def check_trees(cases, seed):
    """Load mutated tree files: a Tree or a TreeError of one line, nothing else.

    Returns (how many loaded, how many were refused, the slowest one's seconds).
    """
    corpus, loaded, refused, slowest = seeds_of_trees(), 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.yaml"
        for case in range(cases):
            chance = random.Random(f"{seed} {case}")
            path.write_bytes(mutated(chance, corpus))
            begun = time.perf_counter()
            try:
                assert isinstance(load_tree(path), Tree)
                loaded += 1
            except TreeError as error:
                lines = str(error).splitlines()
                assert len(lines) == 1 and len(lines[0]) < 3000, (seed, case, str(error))
                refused += 1
            except Exception as error:
                where = f"trees, seed {seed} case {case}"
                raise AssertionError(f"{where}: {error!r}") from error
            slowest = max(slowest, time.perf_counter() - begun)
    return loaded, refused, slowest


TREE = parse_tree("title: t\nlesson: l\nroot: max\ntree: [1, 2]\n", "fuzz")


def text_of(chance, most):
    """Return any text: letters, control characters, lone surrogates, long runs."""
    kinds = (lambda: chance.randrange(128), lambda: chance.randrange(0x110000),
             lambda: chance.randrange(0xD800, 0xE000), lambda: ord("\x1b"))  # fmt: skip
    piece = "".join(chr(chance.choice(kinds)()) for _ in range(chance.randrange(40)))
    return piece * chance.choice((1, 1, 3, most // 40))


def check_results(cases, seed):
    """Write results of random rows and texts: strict, small, complete, within points."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        for case in range(cases):
            chance = random.Random(f"{seed} {case}")
            rows = []
            for turn in range(chance.choice((0, 1, 3, 160))):
                most = chance.randrange(5000)
                cents = chance.randrange(most + 1)
                row = Row(TREE, "minimax", f"1.{turn:03d}", True, most, cents=cents)
                rows.append((row, text_of(chance, 9000)))
            total = sum(row.cents for row, _ in rows)
            results = run_case(graded_case(rows), text_of(chance, 50_000), total)
            write_results(path, results)
            text = path.read_text()
            listed = [test["number"] for test in json.loads(text)["tests"]]
            assert problems_of_text(text) == [], (seed, case, problems_of_text(text))
            assert listed == ["0", *(row.number for row, _ in rows)], (seed, case)
    return cases


def main():
    """Run as much as is asked for and print what was done."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("frames", "trees", "results"):
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    begun = time.perf_counter()
    if asked.frames:
        searches, endings = check_frames(asked.frames, asked.seed)
        listed = ", ".join(f"{kind} {count:,}" for kind, count in endings.most_common())
        print(f"frames: {asked.frames:,} in {searches:,} searches ({listed})")
    if asked.trees:
        loaded, refused, slowest = check_trees(asked.trees, asked.seed)
        print(f"trees: {loaded:,} loaded, {refused:,} refused, slowest {slowest:.2f} s")
    if asked.results:
        print(f"results: {check_results(asked.results, asked.seed):,} files")
    print(f"no crash, no wrong visit; {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
