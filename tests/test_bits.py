"""What a submission can carry out of a grading beside its points, as SECURITY.md counts."""

import re
from dataclasses import replace
from math import log2

import pytest
from helpers import ROOT, tasks_of, tree_of

from autograder.judging.scores import SEVERAL_WAYS, conceal_hidden_endings
from autograder.kit import cached_kit
from autograder.mistakes.symptoms import CUTOFFS
from autograder.smalltrees.enumeration import small_trees
from gametree.functions import FUNCTIONS
from gametree.support import trace as traces
from gametree.support.judging import judge
from gametree.support.saying import load_sentences
from gametree.support.trace import Answer, Ending, Trace

SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
MAX_BITS = 60
WAYS = (traces.TIMED_OUT, traces.OUT_OF_QUERIES, traces.DIED, traces.BROKE_PROTOCOL)
AT_ONCE = tree_of("[1, [1, 1]]", name="tie")
TASKS = [replace(task, hidden=True) for task in tasks_of(AT_ONCE)]


def ended(task, kind, error=""):
    """Return the verdict on a search that ended so."""
    trace = Trace(task.function, task.search, [], Answer(), Ending(kind, error))
    return judge(task, trace)


def told(verdicts):
    """Return how each search is said to have ended."""
    return [verdict.findings[0].got for verdict in conceal_hidden_endings(verdicts)]


def test_how_hidden_searches_ended_is_told_in_one_word_for_a_function():
    minimax, alphabeta, _ = TASKS
    several = [ended(minimax, traces.RAISED, "KeyError"), ended(minimax, traces.TIMED_OUT)]
    stubs = [ended(alphabeta, traces.RAISED, "NotImplementedError")] * 2
    assert told(several + stubs) == [
        *[Ending(SEVERAL_WAYS)] * 2,
        *[Ending(traces.RAISED, "NotImplementedError")] * 2,
    ]
    assert told([ended(minimax, traces.NOT_RUN)]) == [Ending(traces.NOT_RUN)]


def test_security_counts_the_bits_that_are_told_and_they_are_few():
    kit = cached_kit()
    symptoms = sum(key.startswith("symptom.") for key in load_sentences())
    one_of = len(WAYS) + 2 + 3  # raised, in several ways; not written twice, none ended
    endings = len(FUNCTIONS) * log2(one_of)
    # what goes wrong in sum, and which cutoffs are missing; which functions it calls
    others = symptoms * (1 + len(CUTOFFS)) + 8
    trees, diagnoses, searches, small = [*small_trees()], 0.0, 0, 0
    for name, function in FUNCTIONS.items():
        known = len({variant.path for variant in kit.library.candidates(name)})
        diagnoses += log2(known + 2 * known + others)  # nearest, or alike
        own = sum(len(tree.searches_for(name)) for tree in trees)
        searches, small = searches + own, small + own * 2 ** len(function.aspects)
    bits = {  # where a public tree is wrong, where only hidden ones are
        "the line, what is kept, text": (0, 0),
        "the diagnosis": (diagnoses, diagnoses),
        "the smallest tree": (0, log2(1 + small)),
        "how hidden searches ended": (endings, endings),
    }
    bits["sum"] = tuple(map(sum, zip(*bits.values())))
    rows = re.findall(r"^\| ([^|]*) \| [^|]* \| ([\d.]+) \| ([\d.]+) \|$", SECURITY, re.M)
    table = {what: (float(one), float(other)) for what, one, other in rows}
    assert table == {what: pytest.approx(most, abs=0.5) for what, most in bits.items()}
    assert max(table["sum"]) <= MAX_BITS
    assert f"which of {searches:,}" in SECURITY
    assert f"each of {sum(task.hidden for task in kit.tasks)} searches" in SECURITY
