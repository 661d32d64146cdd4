"""The first screen has the right sentences in the right order and fits its limits.

It has one sentence for each function that lost points, the largest loss first.
"""

from fnmatch import fnmatchcase

import pytest
from drawn import (
    NO_CUTOFF,
    RUBRIC,
    SKIPS_LAST,
    explained,
    failing_on,
    graded,
    grading_of,
    textbook,
    verdict_of,
    verdict_on,
)
from helpers import (
    ROOT,
    cases,
    copy_with,
    program_of,
    tasks_of,
    trace_of,
    tree_of,
)

from autograder.explaining.explain import callers_last, reading_from
from autograder.explaining.explanation import (
    BEHAVES_LIKE,
    IS,
    RESTS_ON,
    Diagnosis,
    Explanation,
    FunctionText,
    Reading,
)
from autograder.explaining.reading import read_program
from autograder.explaining.variants import Variant
from autograder.scoring.features import AT_THE_LIMITS
from autograder.scoring.scores import plan_rows, score_rows, wrong_functions
from autograder.scoring.tasks import not_begun
from autograder.showing.messages import CodeLine, Pointer, messages_of
from autograder.showing.report import report_html
from autograder.showing.summary import (
    LINES,
    WIDTH,
    Summary,
    feedback_text,
    lay_out_summary,
    summarize,
)
from autograder.showing.wording import plainer_row, row_text
from autograder.workbench.lint import hash_of_tree
from gametree import parse_tree
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, RAISED, Ending, Text

TIE = tree_of("[1, [1, 1]]", name="MAX [1, [1, 1]]")
WRONG_MOVE = """
def best_move(node, depth, maximizing):
    for child in node.children:
        for leaf in child.children:
            leaf.evaluate()
    return node.children[-1]
"""


def text_of_alphabeta(grading):
    """Return the text of the only row of alphabeta."""
    (row,) = [row for row in grading.rows if row.function == "alphabeta"]
    return row_text(row, grading.rows, grading.public_verdicts("alphabeta"))


ARGUMENTS = {name: function.arguments for name, function in FUNCTIONS.items()}


def reading(text):
    """Return the Reading of a program, as a worker makes it."""
    return reading_from(read_program(text, ARGUMENTS))


def judged(source, tasks):
    """Return the verdicts on a trusted program, one for each task."""
    return [judge(task, trace_of(source, task)) for task in tasks]


@pytest.fixture(scope="module")
def grading():
    """Return the Grading of an alphabeta that never cuts off, with its hints."""
    mistake = Variant("own", ROOT / "own.py", "never cuts off.", "Fix it.", {}, "")
    diagnosis = Diagnosis("alphabeta", IS, mistake)
    smallest = failing_on(verdict_of(NO_CUTOFF, TIE), 107)
    hidden = tree_of("[[5, 6], [1, 2]]", name="hidden")
    plain = grading_of(NO_CUTOFF, [textbook()], [hidden])
    return explained(plain, diagnoses={"alphabeta": diagnosis}, smallest=smallest)


def test_points_of_many_functions_are_wrapped(grading):
    summary = summarize(grading)
    points = ("another_function 10/10", *summary.points, "a_fourth_function 0/10")
    screen = lay_out_summary(summary._replace(points=points)).splitlines()
    assert screen[0].startswith("Score: ")
    assert screen[1].startswith("  ")
    assert screen[1].endswith("a_fourth_function 0/10)")
    assert len(screen) <= LINES
    assert max(map(len, screen)) <= WIDTH


def test_a_caller_of_a_wrong_function_names_it_and_only_the_called_one_has_advice(grading):
    rests = Diagnosis("best_move", RESTS_ON, names=("alphabeta",))
    wrong = grading_of(WRONG_MOVE + NO_CUTOFF, [textbook()])
    diagnoses = {"best_move": rests, **grading.explanation.diagnoses}
    smallest = grading.explanation.smallest
    both = explained(wrong, diagnoses=diagnoses, smallest=smallest)
    summary = summarize(both)
    assert summary.check == "Fix it."
    first, second = summary.messages.values()
    assert first == ("Your alphabeta never cuts off.",)
    assert second == ("best_move calls alphabeta, which is wrong. Fix alphabeta first.",)
    html = report_html(both)
    assert html.index("Fix it.") < html.index("best_move calls"), "below its function"


def test_a_mistake_that_no_line_shows_is_not_claimed_and_nor_is_its_fix(grading):
    diagnosis = grading.explanation.diagnoses["alphabeta"]
    alike = diagnosis._replace(kind=BEHAVES_LIKE)
    summary = summarize(explained(grading, diagnoses={"alphabeta": alike}))
    assert summary.messages == {
        "alphabeta": ("It looks as if your alphabeta never cuts off.",)
    }
    assert summary.check == ""


def test_a_hint_from_the_code_follows_unless_another_function_must_be_fixed(grading):
    reading = Reading({"alphabeta": FunctionText(calls=["minimax"])})
    hinted = explained(grading, reading=reading, diagnoses={})
    [sentences] = summarize(hinted).messages.values()
    assert sentences[-1] == "It calls minimax, which does not prune."
    rests = Diagnosis("alphabeta", RESTS_ON, names=("minimax",))
    [sentences] = summarize(
        explained(hinted, diagnoses={"alphabeta": rests})
    ).messages.values()
    assert sentences == ("alphabeta calls minimax, which is wrong. Fix minimax first.",)


def test_a_wrong_minimax_is_not_said_to_visit_every_leaf():
    wrong = grading_of(NO_CUTOFF + "def minimax(*arguments):\n    return 0\n", [textbook()])
    reading = Reading({"alphabeta": FunctionText(calls=["minimax"])})
    assert "does not prune" not in feedback_text(explained(wrong, reading=reading))


def test_the_tests_at_home_show_the_failure_if_no_small_tree_does(grading):
    screen = feedback_text(explained(grading, smallest=None, diagnoses={}))
    assert screen.endswith("- Run python -m pytest on your machine for details.")
    hidden = grading_of(SKIPS_LAST, [], [textbook()])
    assert "pytest" not in feedback_text(hidden)


@cases("late examples")
def test_an_example_after_hidden_searches_describes_the_correct_search(
    function, source, expected
):
    verdict = verdict_of(source, textbook(), function=function)
    smallest = failing_on(verdict, 107)._replace(verdict=None)
    grading = explained(grading_of(source, [textbook()]), smallest=smallest)
    assert summarize(grading).deciding == expected


def test_a_long_tree_takes_several_lines_that_are_a_tree_file(grading):
    tree = tree_of([[11111, 22222, 33333], [10000, -20000, 30000], [0, 12345, -12345, 1]])
    smallest = failing_on(verdict_of(NO_CUTOFF, tree), 107)
    screen = feedback_text(explained(grading, smallest=smallest))
    _, _, command = screen.partition("Save these lines as my.yaml and run ")
    again = parse_tree(command.partition("\n")[2], "again")
    assert hash_of_tree(again) == hash_of_tree(tree)


def test_blocks_are_separated_and_the_ends_of_messages_are_dropped_first(grading):
    screen = feedback_text(grading).splitlines()
    assert screen.count("") == 4
    pointer = Pointer("Look at line 2.", dict.fromkeys(range(1, 4), CodeLine("code")), (2,))
    summary = summarize(grading)._replace(pointer=pointer)
    long_message = ["word " * 90]
    for count in range(1, 5):
        full = lay_out_summary(
            summary._replace(messages=dict.fromkeys(range(count), long_message))
        )
        lines = full.splitlines()
        assert len(lines) <= LINES, count
        assert " > 2 code" in lines, count


def test_a_message_is_complete_on_every_screen_that_has_room_for_it(grading):
    complete = []
    for count in range(1, LINES):
        code = dict.fromkeys(range(count), CodeLine("code"))
        summary = summarize(grading)._replace(
            pointer=Pointer("Look at line 1.", code, (1,)),
            messages={"minimax": ["word " * 60]},
        )
        screen = lay_out_summary(summary)
        if screen.count("word") == 60:
            complete.append(screen)
    assert complete[-1].count("\n") == LINES - 1
    assert complete[-1].count("\n\n") == 5


def test_a_message_without_room_loses_whole_sentences(grading):
    code = dict.fromkeys(range(9), CodeLine("code"))
    pointer = Pointer("Look at line 1.", code, (1,))
    messages = {
        "minimax": ["It stopped early.", f"It raised {'more ' * 40}errors.", "It failed."],
        "best_move": [f"It raised Odd: no node. {'Too ' * 60}bad.", "It failed."],
    }
    screen = lay_out_summary(
        summarize(grading)._replace(pointer=pointer, messages=messages)
    )
    assert "\nIt stopped early.\nIt raised Odd: no node. Too " in screen
    assert "Too ...\n" in screen, "a sentence that is cut ends with dots"
    assert "It failed" not in screen


def test_a_row_names_all_wrong_public_trees_and_draws_two():
    trees = [tree_of("[3, 5]", name=f"tree {n}") for n in range(4)]
    text = text_of_alphabeta(grading_of(SKIPS_LAST, trees))
    assert text.count("MAX") == 2
    assert "Also wrong, each tree by its lesson:" in text
    assert [tree.name for tree in trees if tree.name not in text] == []


def test_a_drawn_tree_shows_its_first_wrong_search():
    windows = "[{alpha: 1, beta: 2}, {depth: 2}, {alpha: 0, beta: 9}]"
    tree = tree_of("[1, [1, 1]]", name="tie", searches=windows)
    text = text_of_alphabeta(grading_of(NO_CUTOFF, [tree]))
    assert text.count("alphabeta(A, ") == text.count("visited b2 unnecessarily") == 1


def test_searches_that_were_not_run_are_not_said_to_end_without_an_answer():
    first, second = tasks_of(textbook(), TIE, functions=("alphabeta",))
    not_run = judge(second, not_begun(second, Ending(NOT_RUN)))
    grading = graded([first, second], [verdict_on(first, SKIPS_LAST), not_run])
    assert "without an answer" not in feedback_text(grading)


def test_a_row_does_not_count_searches_that_were_not_run_as_wrong():
    trees = [tree_of("[[3, 9], [2, 7]]", name="wrong")]
    trees.append(tree_of("[[3, 9], [2, 8]]", name="skipped"))
    first, task = tasks_of(*trees, functions=("alphabeta",), hidden=True)
    wrong = verdict_on(first, NO_CUTOFF)
    ending = Ending(NOT_RUN, reason="the time was used up")
    not_run = judge(task, not_begun(task, ending))
    planned = plan_rows([first, task], RUBRIC)
    rows = score_rows(planned, [wrong, not_run], RUBRIC)
    assert row_text(rows[0], rows, []).splitlines() == [
        "0 of 2 trees correct: leaves wrong (1), not run: the time was used up (1)",
        "- the lesson of wrong: leaves wrong",
        "- the lesson of skipped: not run: the time was used up",
    ]


def test_a_file_that_was_not_run_has_only_the_reason_on_its_screen(grading):
    trace = grading.explanation.smallest.shown_trace
    failure = copy_with(trace, ending=Ending(RAISED, "ValueError", loading=True))
    for reason in ({"refusal": "no search.py"}, {"load_failure": failure}):
        summary = summarize(grading._replace(**reason))
        assert summary == Summary(summary.score, problems=summary.problems), reason


def test_an_error_cannot_forge_a_line_of_the_screen(grading):
    """All lines of a wrapped text but the first are indented."""
    trace = grading.explanation.smallest.shown_trace
    ending = Ending(RAISED, "ValueError", loading=True)
    for length in range(0, 90, 3):
        text = Text(message="x" * length + " Score: 100/100")
        failure = copy_with(trace, ending=ending, text=text)
        lines = feedback_text(grading._replace(load_failure=failure)).splitlines()
        scores = [line for line in lines if line.startswith("Score:")]
        assert scores == lines[:1], f"after {length} characters"


# ---- the sentences


@cases("sentences on a program")
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


@cases("parameters in another order")
def test_parameters_in_another_order_are_seen(parameters, is_other):
    found = reading(f"def alphabeta({parameters}):\n    return 0\n").text_of("alphabeta")
    assert found.other_order == (parameters.split(", ") if is_other else [])


@cases("state lines")
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


@cases("rows that are fixed first")
def test_the_row_that_shows_the_mistake_best_is_fixed_first(wrong_trees, first):
    grading = grading_of(NO_CUTOFF, [textbook()])
    row = next(row for row in grading.rows if not row.is_right)
    [right, *_] = next(row.parts for row in grading.rows if row.is_right)
    [wrong] = row.parts
    rows = [row._replace(concept=AT_THE_LIMITS)]
    for concept, count in wrong_trees.items():
        parts = [wrong] * count + [right] * (4 - count)
        rows.append(row._replace(concept=concept, parts=tuple(parts)))
    plainer = plainer_row(rows[0], rows)
    assert (plainer and plainer.concept) == first
