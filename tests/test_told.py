"""One sentence for each function that lost points, in the order of points lost."""

from __future__ import annotations

from fnmatch import fnmatchcase as fnmatch

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

RIGHT = REFERENCE_SOURCE.decode()
STRICT = ("alpha >= beta", "alpha > beta")
FULL_WINDOW = ("depth - 1, alpha, beta", "depth - 1, -math.inf, math.inf")
DEEP_CRASH = ("if depth == 0", "if [True, *[False] * 5][depth]")
SMALL = [tree_of(f"[{n}, [{n}, {n + 1}]]", name=f"small-{n}") for n in range(-12, 12)]
BIG = 300_000
BEYOND = {
    LARGE: tree_of(f"[[{BIG}, {2 * BIG}], [{3 * BIG}]]", "min", name="large"),
    CLOSE: tree_of("[[0.5, 2], [0.500001, 3]]", name="close"),
    WIDE: tree_of("[1, 2, 3, 4, 5, 6, 7]", name="wide"),
    DEEP: tree_of("[5, [[[[[[4, 9]]]]]]]", name="deep"),
    FAR: tree_of("[1, 2]", searches="[{depth: 20}]", name="far"),
}
# What is changed in one function, or two -> what is told, in order; * is what hangs on the
# hidden trees.
CASES = {
    "alphabeta lost most: it searches the parent again, and minimax has a small infinity": (
        {
            "minimax": [("math.inf", "50_000")],
            "alphabeta": [("alphabeta(child, depth - 1, alpha, beta, F",
                           "alphabeta(node, depth - 1, alpha, beta, F")],
        },
        ["alphabeta: evaluated A, which is not a leaf of this search.",
         "Your minimax visits the right leaves but gives other answers. It is wrong only "
         "where numbers reach 1,000,000: is your infinity large enough?"],
    ),
    "a crash on hidden trees has no name": (
        {"alphabeta": [DEEP_CRASH]},
        ["alphabeta: on * of * trees it raised an exception. It is right on every public "
         "tree, and wrong on hidden ones: * more rows. It is wrong only from a depth of 6 "
         "on."],
    ),
    "only hidden trees with many children": (
        {"minimax": [("in node.children:", "in node.children[:8]:")]},
        ["Your minimax leaves out leaves that can matter. It is right on every public "
         "tree, and wrong on hidden ones: at the limits (* of * trees). It is wrong only "
         "where a node has 9 children or more."],
    ),
    "two mistakes at once": (
        {"alphabeta": [STRICT, ("if depth == 0 or node", "if node")]},
        ["alphabeta: evaluated b1, b2, c1, c2, c3, d1 and d2, which are not leaves of this "
         "search. Your alphabeta goes on where alpha equals beta, where it should stop."],
    ),
    "what the text knows": (
        {"alphabeta": [FULL_WINDOW]},
        ["Your alphabeta never prunes from a full window: it visits every leaf that "
         "minimax visits. It never passes alpha and beta on to the calls that it makes of "
         "itself."],
    ),
    "a move of a later ply": (
        {"best_move": [("return choose(", "best = choose("),
                       ("g)\n    )", "g)\n    )\n    return (*best.children, best)[0]")]},
        ["Your best_move returns a node that is no child of the given one."],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def kit():
    return prepare()


def reading(text):
    """Return what a text shows, as a worker finds it."""
    arguments = {name: one.arguments for name, one in FUNCTIONS.items()}
    return reading_from(read_program(text, arguments), arguments)


def judged(source, tasks):
    """Return the verdicts on a trusted program."""
    return [judge(task, trace_of(source, task)) for task in tasks]


def test_every_function_that_lost_points_has_a_sentence(kit):
    for what, (changes, told) in CASES.items():
        source = RIGHT
        for function, pairs in changes.items():
            source = changed(*pairs, function=function, source=source)
        rows = score_rows(kit.rows, judged(source, kit.tasks), kit.rubric)
        grading = Grading(rows=rows, reading=reading(source))
        said = [message.text for message in messages_of(grading)]
        assert [one for one in zip(said, told) if not fnmatch(*one)] == [], what
        screen = feedback_text(grading).splitlines()
        assert len(screen) <= LINES and max(map(len, screen)) <= WIDTH
        assert "Look first" not in "\n".join(screen)
        places = ["\n".join(screen).index(sentence[:40]) for sentence in said]
        assert places == sorted(places), what


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


EDGES = (
    ("best = math.inf", "best = 100_000", Boundary(LARGE, 100_000)),
    ("evaluate()", "evaluate().__round__(3)", Boundary(CLOSE, pytest.approx(1e-6))),
    ("in node.children:", "in node.children[:6]:", Boundary(WIDE, 7)),
    ("if depth == 0 or", "if len(node._key.path) > 5 or depth == 0 or", Boundary(DEEP, 7)),
    ("if depth == 0", "if list(range(12))[depth] == 0", Boundary(FAR, 20)),
    ("best = -math.inf", "best = 0", Boundary("nothing above zero", True)),
    ("alpha >= beta", "alpha > beta", None),
    ("best = math.inf", "best = 2", None),
)


def test_what_all_wrong_searches_have_in_common_is_found():
    tasks = tasks_of(*SMALL, *BEYOND.values(), functions=("alphabeta",))
    for old, new, edge in EDGES:
        source = changed((old, new))
        verdicts = judged(source, tasks)
        assert boundary_of(verdicts) == edge, new
        few = [one for one in verdicts if one.task.tree in (SMALL[0], BEYOND[LARGE])]
        assert boundary_of(few) is None


def test_the_text_knows_which_arguments_are_left_alone():
    header = "def alphabeta(n, d: int, a: float, b=9, m=True):\n    "
    for body, ignores, keeps in (
        ("return n.evaluate()", ("depth", "alpha", "beta", "maximizing"), ()),
        ("b = 3\n    return f(n, d, a, m)", ("beta",), ()),
        ("b += 3\n    return f(n, d, a, m)", (), ()),
        ("return f(n, d, a, b, m)", (), ()),
        ("return f(n, d, a, b=1, m=m)", ("beta",), ()),
        ("return alphabeta(n, d, -inf, max(a, 1), m), b", (), ("alpha",)),
        ("return alphabeta(n, d, -b, -a, not m)", (), ()),
        ("low = a\n    return alphabeta(n, d, low, b, m)", (), ()),
        ("return alphabeta(*n), d, a, b, m", (), ()),
        ("return alphabeta(n, d, alpha=-inf, beta=inf, m=m), a, b", (), ()),
        ("return eval('a')", (), ()),
    ):
        found = reading(f"{header}{body}\n")
        told = [each.get("alphabeta", ()) for each in (found.unused, found.not_passed_on)]
        assert told == [ignores, keeps], body
    for text in ("alphabeta = 1\ndef minimax(*a):\n    return 1\n", RIGHT):
        assert not reading(text).unused and not reading(text).not_passed_on


def test_the_text_knows_what_calls_what():
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


def test_the_text_knows_what_outlives_a_search_and_what_is_searched_twice():
    body = "def alphabeta(n, d, a, b, m, seen={}):\n    "
    for text, holds in (
        ("seen = {}\nTABLE = [1]\n\ndef f():\n    return seen\n", (1,)),
        ("best = 0\n\ndef f():\n    global best\n    best = 1\n", (4,)),
        ("class S:\n    kept = dict()\n\n    def f(self):\n        S.kept\n", (2,)),
        ("@lru_cache(None)\ndef f():\n    pass\n", (1,)),
        (body + "return n\n", (1,)),
        ("def f(a=1, b=()):\n    c = {}\n", ()),
    ):
        assert reading(text).state_lines == holds, text
    call = "alphabeta(n, d - 1, a, b, m)"
    for text, twice in (
        (f"if {call} > a:\n        a = {call}", (2, 3)),
        (f"return {call} if {call} > a else a", (2,)),
        (f"if m:\n        return {call}\n    return {call}", None),
    ):
        assert reading(body + text).repeated_calls.get("alphabeta") == twice, text


def test_what_draws_at_random_is_seen_in_the_imports():
    chance = ("import random", "def f():\n  from random import shuffle",
              "import math, numpy.random")  # fmt: skip
    none = "import math  # random", "from randomness import x", "name = 'import random'"
    assert [text for text in (*chance, *none) if reading(text).at_random] == [*chance]
