"""Grade one submission: `python -m autograder.grade SUBMISSION --out FOLDER`.

All other modules are imported while the sandbox's first process starts.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from autograder.ground.launch import start_zygote


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade as Gradescope does; exit 0 when grading finished, whatever the score."""
    zygote = start_zygote()
    gc.set_threshold(100_000)  # nothing that the imports make is garbage
    from autograder.single import run

    return run(sys.argv[1:] if arguments is None else arguments, zygote)


if __name__ == "__main__":
    status = main()
    from autograder.ground.command import leave

    leave(status)
