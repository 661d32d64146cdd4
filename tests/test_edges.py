"""From which size on a search goes wrong, where it is right on all that is smaller."""

import re

import pytest
from helpers import changed, tasks_of, trace_of, tree_of

from autograder.grading import Grading
from autograder.judging.edges import CLOSE, DEEP, FAR, LARGE, WIDE, Edge, edge_of
from autograder.judging.scores import make_rows
from autograder.judging.verdict import judge
from autograder.kit import load_kit
from autograder.showing.summary import feedback_text

SMALL = [tree_of(f"[{n}, [{n}, {n + 1}]]", name=f"small-{n}") for n in range(-6, 6)]
BIG = 300_000
BEYOND = {
    LARGE: tree_of(f"[[{BIG}, {2 * BIG}], [{3 * BIG}]]", "min", name="large"),
    CLOSE: tree_of("[[0.5, 2], [0.500001, 3]]", name="close"),
    WIDE: tree_of("[1, 2, 3, 4, 5, 6, 7]", name="wide"),
    DEEP: tree_of("[5, [[[[[[4, 9]]]]]]]", name="deep"),
    FAR: tree_of("[1, 2]", searches="[{depth: 20}]", name="far"),
}


def verdicts_on(*replacements):
    source = changed(*replacements)
    tasks = tasks_of(*SMALL, *BEYOND.values(), functions=("alphabeta",))
    return [judge(task, trace_of(source, task)) for task in tasks]


@pytest.mark.parametrize(
    "old, new, edge",
    [
        ("best = math.inf", "best = 100_000", Edge(LARGE, 100_000)),
        (
            "return node.evaluate()",
            "return round(node.evaluate(), 3)",
            Edge(CLOSE, pytest.approx(1e-6)),
        ),
        ("in node.children:", "in node.children[:6]:", Edge(WIDE, 7)),
        ("if depth == 0 or", "if len(node._key.path) > 5 or depth == 0 or", Edge(DEEP, 7)),
        ("if depth == 0", "if list(range(12))[depth] == 0", Edge(FAR, 20)),
        ("alpha >= beta", "alpha > beta", None),
        ("alpha >= beta", "beta <= alpha", None),
    ],
)  # fmt: skip
def test_the_edge_is_the_size_from_which_on_it_is_wrong(old, new, edge):
    assert edge_of(verdicts_on((old, new))) == edge


def test_nothing_is_said_of_a_function_that_fails_on_small_trees_too():
    assert edge_of(verdicts_on(("best = math.inf", "best = 2"))) is None


def test_nothing_is_said_where_little_was_right():
    some = verdicts_on(("best = math.inf", "best = 100_000"))
    few = [verdict for verdict in some if verdict.task.tree in (SMALL[0], BEYOND[LARGE])]
    assert edge_of(few) is None


def test_a_student_reads_from_where_on_a_function_goes_wrong():
    kit = load_kit()
    source = changed(("in node.children:", "in node.children[:7]:"))
    verdicts = [judge(task, trace_of(source, task)) for task in kit.tasks]
    rows = make_rows(kit.rows, verdicts, kit.rubric)
    text = feedback_text(Grading(rows=rows))
    said = r"alphabeta: right on narrow trees; wrong where a node has [89] children"
    assert re.search(said, text)
    assert "minimax:" not in text
