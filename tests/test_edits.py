"""Small changes of a program: each kind, its line, and what is made of them."""

import ast
import json
import marshal
from types import SimpleNamespace

from helpers import REFERENCE_SOURCE, changed, tasks_of, tree_of

from autograder.mistakes import edits
from autograder.mistakes.edits import essence, fixing_edits, make_patches, mutants
from bench import proofs
from bench.proofs import first_wrong, mutants_of, survivors

RIGHT = REFERENCE_SOURCE.decode()
CHILD = "alphabeta(child, depth - 1, alpha, beta, False)"
SWAPPED = CHILD.replace("alpha, beta", "beta, alpha")
END = "depth == 0 or node.is_terminal()"
BEST = f"best = max(best, {CHILD})"
LINES_OF_CUTOFF = "            if alpha >= beta:  # cutoff\n                break\n"
SLIPS = (  # what stands there, what a slip makes of it, and the change that mends it
    ("if alpha >= beta:", "if alpha > beta:", "alpha > beta becomes alpha >= beta"),
    ("if alpha >= beta:", "if depth >= beta:", "depth >= beta becomes alpha >= beta"),
    ("max(alpha, best)", "min(alpha, best)", "min becomes max"),
    ("alpha = max(alpha, best)", "alpha = best", "best becomes max(alpha, best)"),
    ("-math.inf", 'float("inf")', "float('inf') becomes -float('inf')"),
    ("-math.inf", "-9999", "-9999 becomes -float('inf')"),
    (CHILD, CHILD.replace("False", "True"), "True becomes False"),
    (CHILD, CHILD.replace("alpha, beta", "beta, alpha"), f"{SWAPPED} becomes {CHILD}"),
    (CHILD, CHILD.replace("depth - 1", "depth"), "depth becomes depth - 1"),
    (CHILD, CHILD.replace("alpha,", "best,"), "best becomes max(alpha, best)"),
    ("for child", "for n in range(1, depth): pass\n        for child", "1 becomes depth"),
    ("is_terminal()", "is_terminal", "node.is_terminal becomes node.is_terminal()"),
    (END, "depth == 0", f"depth == 0 becomes {END}"),
    ("break", "continue", "continue becomes break"),
    ("    return best\n", "    best\n", "best becomes return best"),
    ("node.evaluate()", "-node.evaluate()", "-node.evaluate() becomes node.evaluate()"),
    ("node.children:", "node.children[1:]:", "node.children[1:] becomes node.children"),
)
RAISED, CUTOFF = "alpha = max(alpha, best)", "if alpha >= beta: break"
MISSING = (  # what is left out, and the change that puts it in after the line before
    (f"            {RAISED}\n", f"{BEST} becomes {BEST}; {RAISED}"),
    (LINES_OF_CUTOFF, f"{RAISED} becomes {RAISED}; {CUTOFF}"),
)


def made_of(source, function="alphabeta", right=(), pairs=()):
    return json.loads(make_patches(source, function, right, False, pairs))


def slipped(old, new):
    """The reference with the first `old` in alphabeta replaced, and the line of it."""
    begin = RIGHT.index(old, RIGHT.index("def alphabeta"))
    wrong = RIGHT[:begin] + new + RIGHT[begin + len(old) :]
    return wrong, RIGHT[:begin].count("\n") + 1


def changes_of(source):
    """What fixing_edits() finds, as (line, whether after it, what)."""
    return {
        (e.line, e.after, e.description)
        for e in fixing_edits(ast.parse(source), "alphabeta")
    }


def test_the_opposite_of_a_slip_is_among_the_changes_with_its_line():
    for right, wrong, what in SLIPS:
        source, line = slipped(right, wrong)
        assert (line, False, what) in changes_of(source), what
    for missing, what in MISSING:
        source, line = slipped(missing, "")
        assert (line - 1, True, what) in changes_of(source), what


def test_the_tree_is_itself_again_after_every_change():
    tree = ast.parse(RIGHT)
    before = ast.dump(tree)
    for edit in fixing_edits(tree, "alphabeta"):
        edit.apply()
        edit.undo()
    assert ast.dump(tree) == before


def test_a_pair_of_changes_is_made_in_one():
    wrong = changed(("if alpha >= beta", "if alpha > beta"))
    twins = [v for v in made_of(wrong) if v["what"] == "alpha > beta becomes alpha >= beta"]
    assert len(twins) == 2 and len({v["key"] for v in twins}) == 1
    (pair,) = made_of(wrong, pairs=[tuple(v["number"] for v in twins)])
    assert pair["places"] == [place for v in twins for place in v["places"]]


def test_two_changes_of_one_row_of_statements_are_both_made():
    source = "def f(a, node):\n    a = 1\n    b = 2\n    return node.evaluate()\n"
    drops = [v["number"] for v in made_of(source, "f") if "becomes pass" in v["what"]]
    (both,) = made_of(source, "f", pairs=[drops[:2]])
    assert both["what"] == "a = 1 becomes pass; b = 2 becomes pass"
    assert made_of(source, "f", pairs=[drops[:1] * 2]) == []


def test_what_a_right_function_rests_on_is_changed_last():
    source = "def a(n): return b(n)\ndef b(n): return n\ndef c(n): return b(n) + 1\n"

    def lines(right):
        return [edit.line for edit in fixing_edits(ast.parse(source), "c", right)]

    assert set(lines([])) == {2, 3} and lines([]) != sorted(lines([]), reverse=True)
    assert set(lines(["a"])) == {2, 3}
    assert lines(["a"]) == sorted(lines(["a"]), reverse=True)


def test_what_a_function_does_not_reach_is_left_as_it_is():
    lines = {edit.line for edit in fixing_edits(ast.parse(RIGHT), "minimax")}
    first = RIGHT[: RIGHT.index("def alphabeta")].count("\n")
    assert lines and max(lines) <= first


def test_no_two_changes_do_the_same_and_none_does_what_was_there():
    rows = made_of(RIGHT)
    assert len({row["code"] for row in rows}) == len(rows) > 200
    assert [row["cost"] for row in rows] == sorted(row["cost"] for row in rows)


def test_nothing_is_made_of_a_text_that_is_too_large():
    wide = "def alphabeta(n):\n" + "    n = n + 1\n" * edits.MAX_NODES
    assert made_of(wide) == []


def test_mutants_are_what_may_be_changed_in_a_right_program():
    names, codes = zip(*mutants(RIGHT))
    assert len(set(names)) == len(names) and len(codes) > 300
    assert essence(compile(RIGHT, "search.py", "exec")) not in map(essence, codes)
    said = {name.split(" ", 1)[1] for name in names}
    assert said > {
        *("alpha >= beta becomes alpha > beta", "max becomes min", "beta becomes alpha"),
        *("break becomes continue", "return best becomes best", "True becomes False"),
        *("node.children becomes list(node.children)[:-1]", "math.inf becomes 9999"),
    }
    assert all(marshal.dumps(code) for code in codes)


def test_a_function_that_two_files_share_is_changed_once():
    shared = "def minimax(node, depth):\n    return node.value + depth\n"
    own = "def best_move(node, depth):\n    return node.children[0]\n"
    files = [SimpleNamespace(name="one", source=shared),
             SimpleNamespace(name="two", source=shared + own)]  # fmt: skip
    lines = {name.split(".")[0] for name, _ in mutants_of(files)}
    assert lines == {"one:2", "two:4"}


def test_survivors_are_the_mutants_that_are_right_on_all_trees(monkeypatch):
    monkeypatch.setattr(proofs, "CPU_SECONDS", 0.05)
    tasks = tasks_of(tree_of([[3, 5], [2, 9]]), tree_of([1, [1, 1]], "min", name="tie"))
    programs = list(mutants(RIGHT))[::80]
    alive = survivors(programs, tasks)
    assert alive == [one for one in programs if not first_wrong(one[1], tasks)]
    assert 0 < len(alive) < len(programs)
    assert (first_wrong(RIGHT, tasks), first_wrong("raise ValueError", tasks)) == (0, 1)
    endless = changed(("        best = -math.inf\n", "        while 1: pass\n"))
    assert first_wrong(endless, tasks) > 0
