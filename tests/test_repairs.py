"""Small changes that may mend a search: made of the text alone, each with its line."""

import ast
import json
import sys
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, changed
from test_arrows import imports_of

from autograder.mistakes import changes, repairs
from autograder.mistakes.changes import essence

RIGHT = REFERENCE_SOURCE.decode()
CHILD = "alphabeta(child, depth - 1, alpha, beta, False)"
SLIPS = {
    "comparison": ("if alpha >= beta:", "if alpha > beta:"),
    "name": ("if alpha >= beta:", "if depth >= beta:"),
    "choice": ("alpha = max(alpha, best)", "alpha = min(alpha, best)"),
    "best of both": ("alpha = max(alpha, best)", "alpha = best"),
    "sign of an infinity": ("best = -math.inf", 'best = float("inf")'),
    "finite infinity": ("best = -math.inf", "best = -9999"),
    "players": (CHILD, CHILD.replace("False", "True")),
    "arguments": (CHILD, CHILD.replace("alpha, beta", "beta, alpha")),
    "depth": (CHILD, CHILD.replace("depth - 1", "depth")),
    "parentheses": ("node.is_terminal()", "node.is_terminal"),
    "end": ("depth == 0 or node.is_terminal()", "depth == 0"),
    "leap": ("break", "continue"),
    "return": ("    return best\n", "    best\n"),
    "leaf": ("return node.evaluate()", "return -node.evaluate()"),
    "children": ("in node.children:", "in node.children[1:]:"),
}


def slipped(old, new):
    """The reference with the first `old` in alphabeta replaced, and the line of it."""
    begin = RIGHT.index(old, RIGHT.index("def alphabeta"))
    wrong = RIGHT[:begin] + new + RIGHT[begin + len(old) :]
    return wrong, RIGHT[:begin].count("\n") + 1


def of_function(source, name="alphabeta"):
    """What the compiled function does, whatever its infinities are called."""
    source = source.replace("math.inf", 'float("inf")')
    code = compile(ast.unparse(ast.parse(source)), "search.py", "exec")
    parts = (part for part in code.co_consts if hasattr(part, "co_name"))
    return essence(next(part for part in parts if part.co_name == name))


def mended(source, variant):
    """Tell whether a variant does what the reference does."""
    tree = ast.parse(source)
    edit = repairs.repairs(tree, "alphabeta")[variant["number"]]
    edit.apply()
    return of_function(ast.unparse(tree)) == of_function(RIGHT)


@pytest.mark.parametrize("what", SLIPS)
def test_the_opposite_of_a_slip_is_among_the_changes_with_its_line(what):
    wrong, line = slipped(*SLIPS[what])
    variants = repairs.made_of(wrong, "alphabeta", [], False)
    there = [v for v in variants if [[line], False] in v["places"]]
    assert any(mended(wrong, variant) for variant in there)


@pytest.mark.parametrize(
    "missing, before",
    [
        ("            alpha = max(alpha, best)\n", CHILD),
        ("            if alpha >= beta:  # cutoff\n                break\n", "alpha = max"),
    ],
)
def test_a_missing_statement_is_put_in_after_the_line_before_it(missing, before):
    wrong, _ = slipped(missing, "")
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if before in text)
    variants = repairs.made_of(wrong, "alphabeta", [], False)
    there = [v for v in variants if [[line], True] in v["places"]]
    assert any(mended(wrong, variant) for variant in there)


def test_the_tree_is_itself_again_after_every_change():
    tree = ast.parse(RIGHT)
    before = ast.dump(tree)
    for edit in repairs.repairs(tree, "alphabeta"):
        edit.apply()
        edit.undo()
    assert ast.dump(tree) == before


def test_two_changes_of_one_row_of_statements_are_both_made():
    tree = ast.parse("def f():\n    a = 1\n    b = 2\n    return a\n")
    body = tree.body[0].body
    new = ast.parse("x = 3").body
    first = changes.Edit(tree.body[0], "body", body, [*new, *body[1:]], [2], "first")
    last = changes.Edit(tree.body[0], "body", body, [*body[:2], *new, body[2]], [3], "last")
    first.apply()
    last.apply()
    assert ast.unparse(tree.body[0].body) == "x = 3\nb = 2\nx = 3\nreturn a"
    last.undo()
    first.undo()
    assert tree.body[0].body is body


def test_a_pair_of_changes_is_made_in_one_variant():
    wrong = changed(("if alpha >= beta", "if alpha > beta"))
    variants = repairs.made_of(wrong, "alphabeta", [], False)
    twins = [v for v in variants if v["what"] == "alpha > beta becomes alpha >= beta"]
    assert len(twins) == 2 and len({v["key"] for v in twins}) == 1
    (pair,) = repairs.made_of(
        wrong, "alphabeta", [], False, [tuple(v["number"] for v in twins)]
    )
    assert pair["places"] == [place for v in twins for place in v["places"]]


def test_the_same_change_at_max_and_at_min_has_one_key():
    wrong = changed(("alpha = max(alpha, best)", "alpha = best"))
    wrong = wrong.replace("beta = min(beta, best)", "beta = best")
    variants = repairs.made_of(wrong, "alphabeta", [], False)
    keys = {v["key"] for v in variants if v["what"] in (
        "best becomes max(alpha, best)", "best becomes min(beta, best)")}  # fmt: skip
    assert len(keys) == 1


def test_what_a_right_function_rests_on_is_changed_last():
    source = "def a(n): return b(n)\ndef b(n): return n\ndef c(n): return b(n) + 1\n"
    tree = ast.parse(source)

    def lines(right):
        return [line for edit in repairs.repairs(tree, "c", right) for line in edit.lines]

    assert set(lines([])) == {2, 3} and lines([]) != sorted(lines([]), reverse=True)
    assert set(lines(["a"])) == {2, 3} and lines(["a"]) == sorted(
        lines(["a"]), reverse=True
    )


def test_what_a_function_does_not_reach_is_left_as_it_is():
    lines = {n for e in repairs.repairs(ast.parse(RIGHT), "minimax") for n in e.lines}
    first = RIGHT[: RIGHT.index("def alphabeta")].count("\n")
    assert lines and max(lines) <= first


def test_no_two_variants_do_the_same_and_none_does_what_was_there():
    codes = [v["code"] for v in repairs.made_of(RIGHT, "alphabeta", [], False)]
    assert len(set(codes)) == len(codes) > 200


def test_a_text_that_is_too_large_has_no_variants():
    wide = "def alphabeta(n):\n" + "    n = n + 1\n" * repairs.MOST_NODES
    assert repairs.made_of(wide, "alphabeta", [], False) == []


def test_what_is_made_is_packed_in_order():
    data = repairs.made(RIGHT, "minimax", [], False)
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + size])
    assert sum(one["size"] for one in head) == len(data) - 4 - size
    assert [one["cost"] for one in head] == sorted(one["cost"] for one in head)


def test_what_a_worker_is_sent_needs_the_standard_library_only():
    for module in (changes, repairs):
        names = {name for _, name in imports_of(Path(module.__file__))}
        foreign = {name.split(".")[0] for name in names - {changes.__name__}}
        assert foreign <= sys.stdlib_module_names
