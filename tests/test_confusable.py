"""Students who are easily confused never get points of another: a short run of the fuzz."""

from collections import Counter

from bench.confusable import run_class

CLASSES = 40


def test_each_certain_match_is_correct_and_everybody_has_one_row(tmp_path):
    counts = Counter()
    faults = []
    for number in range(CLASSES):
        faults += run_class(f"ash-{number}", tmp_path, counts)
    assert faults == []
    assert min(counts["certain"], counts["proposal"], counts["confirmed"]) >= CLASSES / 2
