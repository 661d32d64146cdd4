"""The first screen: what it says, once, and in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawn import NO_CUTOFF, SKIPS_LAST, grading_of, textbook, verdict_of
from helpers import ROOT, tree_of

from autograder.counterexample import Counterexample
from autograder.mistakes.diagnosis import RESTS_ON, Diagnosis
from autograder.mistakes.symptoms import NEVER_PRUNES
from autograder.mistakes.variants import Variant
from autograder.showing.report import report_html
from autograder.showing.rowtext import row_text
from autograder.showing.summary import feedback_text, summarize
from gametree.support.trace import RAISED, Ending, Text

TIE = tree_of([1, [1, 1]], name="MAX [1, [1, 1]]")
WRONG_MOVE = """
def best_move(node, depth, maximizing):
    for child in node.children:
        for leaf in child.children:
            leaf.evaluate()
    return node.children[-1]
"""


def known(headline, step="Mend it."):
    return Variant(headline, ROOT / headline, headline, step, (), {}, "")


@pytest.fixture(scope="module")
def grading():
    """One that never cuts off: diagnosed, with its smallest tree."""
    diagnosis = Diagnosis(("alphabeta",), True, (known("You never cut off."),))
    smallest = Counterexample(verdict_of(NO_CUTOFF, TIE), 107)
    whole = grading_of(NO_CUTOFF, [textbook()], [tree_of([[5, 6], [1, 2]], name="hidden")])
    return replace(whole, diagnoses=(diagnosis,), counterexample=smallest)


SCREEN = """
alphabeta: You never cut off.

alphabeta fails on this tree; it passes all 106 smaller trees:
MAX         A
        ┌───┴────┐
MIN     a1       B
        1     ┌──┴──┐
        ●     b1    b2
              1     1
              ●     !
● visited   ! visited needlessly
At B (MIN), after b1 = 1: alpha = 1, beta = 1, so b2 cannot matter; your search went on to
  b2.

- Mend it.

At home, with this line in my.yaml: python -m gametree my.yaml
  {root: max, tree: [1, [1, 1]]}"""


def test_it_says_everything_once_from_the_points_to_the_concepts(grading):
    head, rest = feedback_text(grading).split("\n", 1)
    assert head.startswith("Score: ") and "(minimax 25/25, alphabeta" in head
    assert rest.startswith(SCREEN)
    slow = feedback_text(replace(grading, slow_to_load=True))
    assert "Loading search.py takes long" in slow


def test_what_another_function_rests_on_is_told_and_only_the_first_is_to_check(grading):
    rests = Diagnosis(("best_move",), True, (), RESTS_ON, others=("alphabeta",))
    also = grading_of(WRONG_MOVE + NO_CUTOFF, [textbook()])
    both = replace(grading, rows=also.rows, diagnoses=(rests, *grading.diagnoses))
    summary = summarize(both)
    assert summary.check == "Mend it."
    assert [message.text for message in summary.messages] == [
        "alphabeta: You never cut off.",
        "best_move calls alphabeta, which is wrong: mend alphabeta first.",
    ]
    html = report_html(both)
    assert html.index("Mend it.") < html.index("best_move calls"), "below its function"


def test_a_mistake_that_is_only_near_follows_what_is_seen_and_gives_no_advice(grading):
    seen = "Your alphabeta never prunes: it visits every leaf that minimax visits."
    near = Diagnosis(("alphabeta",), False, (known("You one."),), NEVER_PRUNES)
    summary = summarize(replace(grading, diagnoses=(near,)))
    lead = f"{seen} The closest known mistake: You one."
    assert (summary.messages, summary.check) == (((lead, (), ("alphabeta",)),), "")


def test_what_the_program_printed_there_is_one_line_unless_it_is_sealed(grading):
    verdict = verdict_of(NO_CUTOFF, TIE, printed="\x1b[2Jhello\nworld\n")
    text = feedback_text(replace(grading, counterexample=Counterexample(verdict, 1)))
    assert "It printed: ?[2Jhello\n" in text and "world" not in text
    sealed = verdict._replace(trace=replace(verdict.trace, text=None))
    text = feedback_text(replace(grading, counterexample=Counterexample(sealed, 1)))
    assert "hello" not in text and "It printed" not in text


def test_of_many_wrong_public_trees_two_are_drawn_and_all_are_named():
    names = [f"tree {number}" for number in range(4)]
    grading = grading_of(
        SKIPS_LAST, [tree_of([n, 5], name=name) for n, name in enumerate(names)]
    )
    text = next(row_text(row) for row in grading.rows if row.number == "2.01")
    assert text.count("MAX") == 2 and "Also wrong:" in text
    assert all(name in text for name in names)


def test_no_line_of_an_error_passes_for_one_of_ours(grading):
    """Wherever a long text is broken, what follows is indented."""
    trace = grading.counterexample.verdict.trace
    for pad in range(90):
        message = "x" * pad + " Score: 100/100"
        ending = Ending(RAISED, "ValueError", loading=True)
        told = replace(trace, ending=ending, text=Text(message=message))
        lines = feedback_text(replace(grading, load_failure=told)).splitlines()
        assert [line for line in lines if line.startswith("Score:")] == lines[:1]
