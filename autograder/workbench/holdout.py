"""How well does a set catch mistakes that nobody listed? Hide half of them and see.

`make holdout` chooses a set by a random half of solution/mistakes, and counts how many
of the other half lose points.
"""

from __future__ import annotations

import random
from collections import Counter

from autograder.command import Parser, Refused, run
from autograder.workbench.choice import choose
from autograder.workbench.generate import make_pool


def caught(pool, count, rng):
    """Return (caught, killable) of the half that the choice did not see."""
    names = sorted(pool.programs)
    rng.shuffle(names)
    seen, unseen = set(names[::2]), set(names[1::2])
    chosen = choose(pool.of(seen), count, rng.getrandbits(32)).chosen

    def killed_by(trees):
        return {
            name
            for tree in trees
            for name, rows in zip(pool.programs, pool.kills[tree])
            if rows
        }

    return len(unseen & killed_by(chosen)), len(unseen & killed_by(pool.kills))


def main(arguments=None):
    """Print the share of unseen mistakes that each split's set catches."""
    parser = Parser(prog="holdout", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args(arguments)
    if min(options.count, options.splits) < 1:
        raise Refused("COUNT and the number of splits are at least 1")
    pool = make_pool(options.seed)
    rng = random.Random(options.seed)
    totals = Counter()
    for split in range(1, options.splits + 1):
        number, killable = caught(pool, options.count, rng)
        totals.update(caught=number, killable=killable)
        share = f"{number / killable:.1%}"
        print(f"split {split}: {number} of {killable} unseen mistakes caught ({share})")
    print(f"together: {totals['caught'] / totals['killable']:.1%}")
    return 0


if __name__ == "__main__":
    run("holdout", main)
