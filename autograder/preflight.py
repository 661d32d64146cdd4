"""Check, when Gradescope builds its image, that the reference scores full marks."""

from __future__ import annotations

import sys

from autograder.grade import FAULTS_OF_THE_KIT, grade_path
from autograder.judging.scores import score_text
from autograder.kit import load_kit


def main():
    """Grade the reference; return 1 with one line where it does not score 100 %."""
    try:
        kit = load_kit()
        grading = grade_path(kit, kit.root / "solution" / "search.py")
    except FAULTS_OF_THE_KIT as error:
        print(f"preflight: {error}", file=sys.stderr)
        return 1
    rows = len(grading.rows)
    print(f"preflight: the reference scores {score_text(grading)} on {rows} rows")
    return 0 if grading.cents == grading.most_cents else 1


if __name__ == "__main__":
    sys.exit(main())
