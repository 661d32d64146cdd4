"""One sentence for each function that lost points, in the order of points lost."""

from fnmatch import fnmatchcase

import pytest
from drawn import NO_CUTOFF, grading_of, textbook
from helpers import REFERENCE_SOURCE, changed, tasks_of, trace_of, tree_of

from autograder.grading import Grading
from autograder.judging.boundaries import (
    CLOSE,
    DEEP,
    FAR,
    LARGE,
    WIDE,
    Boundary,
    boundary_of,
)
from autograder.judging.scores import functions_by_loss, score_rows
from autograder.kit import prepare
from autograder.mistakes.reading import read_program, reading_from
from autograder.showing.messages import messages_of
from autograder.showing.summary import LINES, WIDTH, feedback_text
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge

CORRECT = REFERENCE_SOURCE.decode()
STRICT = ("alpha >= beta", "alpha > beta")
ARGUMENTS = {name: function.arguments for name, function in FUNCTIONS.items()}


@pytest.fixture(scope="module")
def kit():
    return prepare()


def reading(text):
    """Return what a text shows, as a worker finds it."""
    return reading_from(read_program(text, ARGUMENTS), ARGUMENTS)


def judged(source, tasks):
    """Return the verdicts on a trusted program."""
    return [judge(task, trace_of(source, task)) for task in tasks]


# ---- the sentences; * stands for what depends on the hidden trees


@pytest.fixture
def assert_told(kit):
    """Return a function that checks the sentences about a program, in their order.

    They stand on a screen, in this order.
    """

    def assert_told(source, *expected):
        rows = score_rows(kit.rows, judged(source, kit.tasks), kit.rubric)
        grading = Grading(rows=rows, reading=reading(source))
        sentences = [message.text for message in messages_of(grading)]
        assert len(sentences) == len(expected)
        assert list(map(fnmatchcase, sentences, expected)) == [True] * len(expected)
        screen = feedback_text(grading)
        lines = screen.splitlines()
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= WIDTH
        assert "Look first" not in screen
        places = [screen.index(sentence[:40]) for sentence in sentences]
        assert places == sorted(places)

    return assert_told


def test_what_lost_most_comes_first(assert_told):
    source = changed(("math.inf", "50_000"), function="minimax")
    call = "alphabeta({}, depth - 1, alpha, beta, F"
    source = changed((call.format("child"), call.format("node")), source=source)
    assert_told(
        source,
        "Your alphabeta evaluates nodes that are not leaves of the search.",
        "Your minimax visits the right leaves but gives other answers. It is wrong only "
        "where numbers are large: is your infinity large enough?",
        "Your best_move visits the right leaves but gives other answers. *",
    )


def test_a_crash_on_hidden_trees_has_no_name(assert_told):
    assert_told(
        changed(("if depth == 0", "if [True, *[False] * 5][depth]")),
        "alphabeta: on * of * trees it raised an exception. It is right on every public "
        "tree, and wrong on hidden ones: * more rows.",
    )


def test_what_is_wrong_on_hidden_trees_alone_is_said_with_its_boundary(assert_told):
    many_children = ("in node.children:", "in node.children[:8]:")
    assert_told(
        changed(many_children, function="minimax"),
        "Your minimax leaves out leaves that can matter. It is right on every public "
        "tree, and wrong on hidden ones: at the limits (* of * trees). It is wrong only "
        "where a node has many children.",
        "Your best_move leaves out leaves that can matter. *",
    )


def test_two_mistakes_at_once_are_both_said(assert_told):
    assert_told(
        changed(STRICT, ("if depth == 0 or node", "if node")),
        "Your alphabeta evaluates nodes below the depth of the search. Your alphabeta goes "
        "on where alpha equals beta, where it should stop.",
    )


def test_what_the_text_shows_is_said(assert_told):
    assert_told(
        changed(("depth - 1, alpha, beta", "depth - 1, -math.inf, math.inf")),
        "Your alphabeta never prunes from a full window: it visits every leaf that "
        "minimax visits. It never passes alpha and beta on to the calls that it makes of "
        "itself.",
    )


def test_a_move_of_a_later_ply_is_no_child(assert_told):
    chosen = ("return choose(", "best = choose(")
    later = ("g)\n    )", "g)\n    )\n    return (*best.children, best)[0]")
    assert_told(
        changed(chosen, later, function="best_move"),
        "Your best_move returns a node that is no child of the given one.",
    )


def test_where_no_small_tree_fails_a_public_one_is_drawn():
    text = feedback_text(grading_of(NO_CUTOFF, [textbook()]))
    assert "\nalphabeta fails on a public tree, textbook:\nMAX " in text
    assert "so c2 and c3 cannot matter; your search" in text
    assert text.endswith("At home: python -m gametree trees/textbook.yaml")


def test_what_loses_most_is_sought_first_but_for_what_rests_on_it(kit):
    source = changed(STRICT)
    source = changed(("math.inf", "50_000"), function="minimax", source=source)
    source = changed(("not maximizing", "maximizing"), function="best_move", source=source)
    rows = score_rows(kit.rows, judged(source, kit.tasks), kit.rubric)
    order = functions_by_loss(rows, {"best_move": {"minimax"}})
    assert order == ["alphabeta", "minimax", "best_move"]
    assert functions_by_loss(rows, {})[0] in ("alphabeta", "best_move")


# ---- what all wrong searches have in common

SMALL = [tree_of(f"[{n}, [{n}, {n + 1}]]", name=f"small-{n}") for n in range(-12, 12)]
LARGE_TREE = tree_of("[[300000, 600000], [900000]]", "min", name="large")
ALL_TREES = [
    *SMALL,
    LARGE_TREE,
    tree_of("[[0.5, 2], [0.500001, 3]]", name="close"),
    tree_of("[1, 2, 3, 4, 5, 6, 7]", name="wide"),
    tree_of("[5, [[[[[[4, 9]]]]]]]", name="deep"),
    tree_of("[1, 2]", searches="[{depth: 20}]", name="far"),
]
TASKS = tasks_of(*ALL_TREES, functions=("alphabeta",))


def assert_boundary(old, new, boundary):
    """Check the boundary of alphabeta with a change, and that two trees show none."""
    source = changed((old, new))
    assert boundary_of(judged(source, TASKS)) == boundary
    few = [task for task in TASKS if task.tree in (SMALL[0], LARGE_TREE)]
    assert boundary_of(judged(source, few)) is None


def test_an_infinity_that_is_too_small_is_wrong_on_large_values():
    assert_boundary("best = math.inf", "best = 100_000", Boundary(LARGE, 100_000))


def test_rounded_values_are_wrong_on_close_values():
    about_a_millionth = pytest.approx(1e-6)
    rounded = "evaluate().__round__(3)"
    assert_boundary("evaluate()", rounded, Boundary(CLOSE, about_a_millionth))


def test_dropped_children_are_wrong_on_many_children():
    assert_boundary("in node.children:", "in node.children[:6]:", Boundary(WIDE, 7))


def test_an_early_end_is_wrong_on_many_plies():
    ends = "if len(node._key.path) > 5 or depth == 0 or"
    assert_boundary("if depth == 0 or", ends, Boundary(DEEP, 7))


def test_a_table_of_depths_is_wrong_at_a_large_depth():
    table = "if list(range(12))[depth] == 0"
    assert_boundary("if depth == 0", table, Boundary(FAR, 20))


def test_a_best_value_of_0_is_wrong_where_nothing_is_above_zero():
    boundary = Boundary("nothing above zero", True)
    assert_boundary("best = -math.inf", "best = 0", boundary)


def test_what_is_wrong_on_trees_of_every_kind_has_no_boundary():
    assert_boundary("alpha >= beta", "alpha > beta", None)
    assert_boundary("best = math.inf", "best = 2", None)


def with_verdicts(right, wrong):
    """Return so many right and wrong verdicts; only the wrong ones have a MIN root."""
    right_tasks = tasks_of(*SMALL[:right], functions=("alphabeta",))
    trees = [tree_of("1", "min", name=f"min-{n}") for n in range(wrong)]
    wrong_tasks = tasks_of(*trees, functions=("alphabeta",))
    source = changed(("if depth == 0", "if not maximizing: return -1\n    if depth == 0"))
    return judged(CORRECT, right_tasks) + judged(source, wrong_tasks)


def test_a_property_needs_three_wrong_searches_and_ten_right_ones():
    assert boundary_of(with_verdicts(right=10, wrong=3)) is not None
    assert boundary_of(with_verdicts(right=10, wrong=2)) is None
    assert boundary_of(with_verdicts(right=9, wrong=3)) is None


# ---- what the text of a program shows


def body(text):
    """Return what an alphabeta with this body shows."""
    return reading(f"def alphabeta(n, d: int, a: float, b=9, m=True):\n    {text}\n")


def unused(text):
    return body(text).unused.get("alphabeta", ())


def not_passed_on(text):
    return body(text).not_passed_on.get("alphabeta", ())


def test_the_text_shows_which_arguments_are_never_read():
    assert unused("return n.evaluate()") == ("depth", "alpha", "beta", "maximizing")
    assert unused("b = 3\n    return f(n, d, a, m)") == ("beta",)
    assert unused("return f(n, d, a, b=1, m=m)") == ("beta",)
    assert unused("b += 3\n    return f(n, d, a, m)") == ()
    assert unused("return f(n, d, a, b, m)") == ()
    assert unused("return alphabeta(n, d, -inf, max(a, 1), m), b") == ()
    assert unused("return eval('a')") == ()


def test_the_text_shows_which_bounds_are_never_passed_on():
    assert not_passed_on("return alphabeta(n, d, -inf, max(a, 1), m), b") == ("alpha",)
    assert not_passed_on("return alphabeta(n, d, -b, -a, not m)") == ()
    assert not_passed_on("low = a\n    return alphabeta(n, d, low, b, m)") == ()
    assert not_passed_on("return n.evaluate()") == ()
    assert not_passed_on("return f(n, d, a, b, m)") == ()


def test_bounds_that_are_not_read_are_not_said_twice():
    assert not_passed_on("return alphabeta(n, d, -inf, inf, m)") == ()


def test_what_is_unclear_is_not_said():
    assert not_passed_on("return alphabeta(*n), d, a, b, m") == ()
    assert not_passed_on("return alphabeta(n, d, alpha=-inf, beta=inf, m=m), a, b") == ()
    assert not_passed_on("return alphabeta(n, d, -inf, inf, m), a, b, eval('a')") == ()
    parameters = reading("alphabeta = 1\ndef minimax(*a):\n    return 1\n")
    assert parameters.unused == parameters.not_passed_on == {}


def test_of_a_correct_program_nothing_is_said():
    found = reading(CORRECT)
    assert found.unused == found.not_passed_on == {}


def test_the_text_shows_what_calls_what():
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
    assert reading(source).calls == {
        "minimax": {"best_move"},
        "alphabeta": {"minimax", "best_move"},
        "best_move": set(),
    }
    assert reading("from other import *").calls == {}


BODY = "def alphabeta(n, d, a, b, m, seen={}):\n    "


def state_lines(text):
    return reading(text).state_lines


def test_the_text_shows_what_may_survive_a_search():
    assert state_lines("seen = {}\nTABLE = [1]\n\ndef f():\n    return seen\n") == (1,)
    assert state_lines("best = 0\n\ndef f():\n    global best\n    best = 1\n") == (4,)
    in_class = "class S:\n    kept = dict()\n\n    def f(self):\n        S.kept\n"
    assert state_lines(in_class) == (2,)
    assert state_lines("@lru_cache(None)\ndef f():\n    pass\n") == (1,)
    assert state_lines(BODY + "return n\n") == (1,)
    assert state_lines("def f(a=1, b=()):\n    c = {}\n") == ()


def test_two_lines_of_state_are_enough():
    tables = "a = []\nb = set()\nc = {}\n\ndef f():\n    return a, b, c\n"
    assert state_lines(tables) == (1, 2)


NO_VALUE_AT = {
    "if m:\n        return 1\n    pass": (4,),
    "if m:\n        return 1\n    else:\n        b = 2": (5,),
    "for c in n.children:\n        return 1": (3,),
    "if m:\n        return\n    return 1": (3,),
    "while True:\n        return 1": (),
    "return 1 if m else 2": (),
    "b = 2": (),
    "yield n.children": (),
}


@pytest.mark.parametrize("text", NO_VALUE_AT)
def test_the_text_shows_where_a_function_ends_without_a_value(text):
    lines = reading("def alphabeta(n, d, a, b, m):\n    " + text).returns_nothing
    assert lines.get("alphabeta", ()) == NO_VALUE_AT[text]


def repeated_call(text):
    return reading(BODY + text).repeated_calls.get("alphabeta")


def test_the_text_shows_which_call_is_made_again():
    call = "alphabeta(n, d - 1, a, b, m)"
    assert repeated_call(f"if {call} > a:\n        a = {call}") == (2, 3)
    assert repeated_call(f"return {call} if {call} > a else a") == (2,)
    assert repeated_call(f"if m:\n        return {call}\n    return {call}") is None


def test_the_imports_show_what_draws_at_random():
    assert reading("import random").at_random
    assert reading("def f():\n  from random import shuffle").at_random
    assert reading("import math, numpy.random").at_random


def test_other_words_draw_nothing_at_random():
    assert not reading("import math  # random").at_random
    assert not reading("from randomness import x").at_random
    assert not reading("name = 'import random'").at_random
