"""The screen has one sentence for each function that lost points, largest loss first."""

from fnmatch import fnmatchcase

import pytest
from drawn import NO_CUTOFF, graded, grading_of, textbook
from helpers import cases_beside, program_of, trace_of

from autograder.explaining.explain import callers_last, reading_from
from autograder.explaining.explanation import Explanation, FunctionText, Reading
from autograder.explaining.reading import read_program
from autograder.scoring.features import AT_THE_LIMITS
from autograder.scoring.scores import wrong_functions
from autograder.showing.messages import messages_of
from autograder.showing.summary import LINES, WIDTH, feedback_text
from autograder.showing.wording import plainer_row
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge

cases = cases_beside(__file__)

ARGUMENTS = {name: function.arguments for name, function in FUNCTIONS.items()}


def reading(text):
    """Return the Reading of a program, as a worker makes it."""
    return reading_from(read_program(text, ARGUMENTS))


def judged(source, tasks):
    """Return the verdicts on a trusted program, one for each task."""
    return [judge(task, trace_of(source, task)) for task in tasks]


# ---- the sentences


@pytest.mark.parametrize("changes, expected", cases("sentences on a program"))
def test_a_program_gets_its_sentences_on_one_screen(changes, expected, kit):
    source = program_of(changes)
    found = Explanation(reading=reading(source))
    grading = graded(kit.tasks, judged(source, kit.tasks), found)
    messages = [" ".join(sentences) for sentences in messages_of(grading).values()]
    assert len(messages) == len(expected)
    assert list(map(fnmatchcase, messages, expected)) == [True] * len(expected)
    screen = feedback_text(grading)
    lines = screen.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    places = [screen.index(message[:40]) for message in messages]
    assert places == sorted(places)


def test_the_largest_loss_comes_first_except_for_callers(kit):
    changes = {
        "alphabeta": [("alpha >= beta", "alpha > beta")],
        "minimax": [("math.inf", "50_000")],
        "best_move": [("not maximizing", "maximizing")],
    }
    source = program_of(changes)
    grading = graded(kit.tasks, judged(source, kit.tasks))
    by_loss = [score.function for score in wrong_functions(grading.rows)]
    assert by_loss[0] in ("alphabeta", "best_move")
    text = Reading({"best_move": FunctionText(calls=["minimax"])})
    assert callers_last(by_loss, text) == ["alphabeta", "minimax", "best_move"]


# ---- clues in the text of a program


@pytest.mark.parametrize("parameters, is_other", cases("parameters in another order"))
def test_parameters_in_another_order_are_seen(parameters, is_other):
    found = reading(f"def alphabeta({parameters}):\n    return 0\n").text_of("alphabeta")
    assert found.other_order == (parameters.split(", ") if is_other else [])


@pytest.mark.parametrize("text, lines", cases("state lines"))
def test_the_text_shows_state_that_may_survive_a_search(text, lines):
    assert [*reading(text).state_lines] == lines


def test_the_text_shows_calls_between_functions():
    source = """
import functools
def minimax(node, depth, maximizing):
    return Searcher(node).run()
class Searcher:
    def run(self):
        return [best_move for _ in "once"]
def bounded(*arguments):
    return minimax(*arguments)
alphabeta = functools.lru_cache(bounded)
def best_move(node, depth, maximizing):
    def minimax():
        return "alphabeta"
    return minimax()
"""
    functions = reading(source).functions
    assert {name: text.calls for name, text in functions.items()} == {
        "minimax": ["best_move"],
        "alphabeta": ["best_move", "minimax"],
        "best_move": [],
    }
    assert reading("from other import *").functions == {}


@pytest.mark.parametrize(
    "concept, is_plainer",
    {
        "ties": True,
        "a given window": True,
        "depth and static values": False,
        "unusual values": False,
    }.items(),
)
def test_a_row_whose_trees_may_fail_for_another_reason_is_not_fixed_first(
    concept, is_plainer
):
    grading = grading_of(NO_CUTOFF, [textbook()])
    row = next(row for row in grading.rows if not row.is_right)
    limits = row._replace(concept=AT_THE_LIMITS)
    other = row._replace(concept=concept)
    assert plainer_row(limits, [limits, other]) == (other if is_plainer else None)


@pytest.mark.parametrize(
    "at_max, at_min, ties, first",
    [
        (3, 2, 1, "cutoffs at MAX"),  # the largest share
        (2, 2, 4, "cutoffs at MAX"),  # half of the ordinary trees show the mistake, too
        (1, 1, 2, "ties"),
    ],
)
def test_the_row_that_shows_the_mistake_best_is_fixed_first(at_max, at_min, ties, first):
    """The numbers are those of wrong trees, of four."""
    grading = grading_of(NO_CUTOFF, [textbook()])
    row = next(row for row in grading.rows if not row.is_right)
    [right, *_] = next(row.parts for row in grading.rows if row.is_right)
    [wrong] = row.parts
    rows = [row._replace(concept=AT_THE_LIMITS)]
    counts = {"cutoffs at MAX": at_max, "cutoffs at MIN": at_min, "ties": ties}
    for concept, count in counts.items():
        parts = [wrong] * count + [right] * (4 - count)
        rows.append(row._replace(concept=concept, parts=tuple(parts)))
    plainer = plainer_row(rows[0], rows)
    assert plainer and plainer.concept == first
