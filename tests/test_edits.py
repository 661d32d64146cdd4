"""Small changes that may fix a program are offered as patches, cheapest first."""

import ast
import json
import marshal
from types import SimpleNamespace

import pytest
from helpers import REFERENCE_SOURCE, cases, changed, tasks_of, tree_of

from autograder.explaining import edits
from autograder.explaining.edits import essence, fixing_edits, make_patches
from bench import proofs
from bench.proofs import first_wrong, mutants_of, survivors

REFERENCE = REFERENCE_SOURCE.decode()
END = "depth == 0 or node.is_terminal()"
TREE = tree_of([[3, 5], [2, 9]])


def patches_of(source, function="alphabeta", pairs=()):
    """Return the patches of a function, as decoded JSON."""
    return json.loads(make_patches(source, function, (), False, pairs))


def with_slip(right, slip):
    """Return the reference with the first `right` in alphabeta replaced, and its line."""
    begin = REFERENCE.index(right, REFERENCE.index("def alphabeta"))
    before = REFERENCE[:begin]
    after = REFERENCE[begin + len(right) :]
    return before + slip + after, before.count("\n") + 1


def changes_of(source):
    """Return (line, if after it, description) of the edits that may fix alphabeta."""
    found = fixing_edits(ast.parse(source), "alphabeta")
    return {(*edit.place[:2], edit.description) for edit in found}


@pytest.mark.parametrize("right, slip, after, description", cases("offered changes"))
def test_the_change_that_undoes_a_slip_is_offered(right, slip, after, description):
    source, line = with_slip(right, slip)
    place = line - 1 if after else line
    assert (place, after, description) in changes_of(source)


@pytest.mark.parametrize("source, description", cases("changes of other styles"))
def test_changes_are_offered_in_other_styles(source, description):
    assert description in {description for _, _, description in changes_of(source)}


def test_only_strict_cutoffs_are_offered_in_a_strict_course():
    source, _ = with_slip("if alpha >= beta:", "if depth >= beta:")
    edits_of_strict = fixing_edits(ast.parse(source), "alphabeta", strict=True)
    found = {edit.description for edit in edits_of_strict if edit.kind == "cutoff"}
    assert "depth >= beta becomes alpha > beta" in found
    assert "depth >= beta becomes alpha >= beta" not in found


def test_an_end_condition_is_offered_only_where_depth_or_children_are_tested():
    descriptions = {description for _, _, description in changes_of(REFERENCE)}
    assert f"{END} becomes depth == 0 or ({END})" in descriptions
    assert "maximizing becomes False" in descriptions
    assert "maximizing becomes maximizing or node.is_terminal()" not in descriptions


def test_a_name_that_is_used_as_a_condition_is_not_decremented():
    source = "def alphabeta(node, d):\n    if d:\n        alphabeta(node, d)\n"
    descriptions = {description for _, _, description in changes_of(source)}
    assert "d becomes not d" in descriptions
    assert "d becomes d - 1" not in descriptions


def test_every_change_can_be_undone():
    tree = ast.parse(REFERENCE)
    before = ast.dump(tree)
    for edit in fixing_edits(tree, "alphabeta"):
        edit.apply()
        edit.undo()
    assert ast.dump(tree) == before


def test_a_pair_of_changes_is_one_patch():
    wrong = changed(("if alpha >= beta", "if alpha > beta"))
    patches = patches_of(wrong)
    twins = [p for p in patches if p["what"] == "alpha > beta becomes alpha >= beta"]
    first, second = twins
    assert first["key"] == second["key"]
    (pair,) = patches_of(wrong, pairs=[(first["number"], second["number"])])
    assert pair["places"] == first["places"] + second["places"]
    assert pair["cost"] == first["cost"] + second["cost"]


def test_changes_of_max_and_min_are_twins_and_other_changes_are_not():
    wrong = changed(
        ("alpha = max(alpha, best)", "alpha = best"),
        ("beta = min(beta, best)", "beta = best"),
    )
    keys = {patch["what"]: patch["key"] for patch in patches_of(wrong)}
    key = keys["best becomes max(alpha, best)"]
    assert key == keys["best becomes min(beta, best)"]
    assert key != keys["break becomes continue"]


def test_two_changes_in_one_list_of_statements_are_both_applied():
    source = "def f(a, node):\n    a = 1\n    b = 2\n    return node.evaluate()\n"
    patches = patches_of(source, "f")
    drops = [patch["number"] for patch in patches if "becomes pass" in patch["what"]]
    first, second = drops[:2]
    (both,) = patches_of(source, "f", pairs=[(first, second)])
    assert both["what"] == "a = 1 becomes pass; b = 2 becomes pass"
    assert patches_of(source, "f", pairs=[(first, first)]) == []


def changed_lines(source, right):
    """Return the lines of the changes that may fix c, cheapest first."""
    return [edit.place[0] for edit in fixing_edits(ast.parse(source), "c", right)]


def test_a_helper_of_a_correct_function_is_changed_last():
    source = "def a(n): return b(n)\ndef b(n): return n\ndef c(n): return b(n) + 1\n"
    lines = changed_lines(source, right=[])
    assert set(lines) == {2, 3}
    assert lines != sorted(lines, reverse=True)
    lines = changed_lines(source, right=["a"])
    assert set(lines) == {2, 3}
    assert lines == sorted(lines, reverse=True)


def test_a_correct_caller_does_not_affect_the_order_of_changes():
    source = "def a(n): return c(n)\ndef c(n): return n + 1\n"
    assert changed_lines(source, right=["a"]) == changed_lines(source, right=[])


def test_code_that_a_function_does_not_reach_is_not_changed():
    lines = {edit.place[0] for edit in fixing_edits(ast.parse(REFERENCE), "minimax")}
    first = REFERENCE[: REFERENCE.index("def alphabeta")].count("\n")
    assert lines
    assert max(lines) <= first


def test_a_method_is_not_taken_for_a_function_of_the_same_name():
    in_class = "class S:\n    def a(self, n): return n + 1\n"
    source = f"def a(n): return n + 2\n{in_class}def c(n): return S().a(n)\n"
    assert set(changed_lines(source, right=[])) == {3, 4}


@pytest.fixture(scope="module")
def patches():
    """Return the patches of the reference."""
    return patches_of(REFERENCE)


def test_all_patches_have_different_code_and_are_ordered_by_cost(patches):
    codes = {patch["code"] for patch in patches}
    assert len(codes) == len(patches) > 200
    costs = [patch["cost"] for patch in patches]
    assert costs == sorted(costs)


def test_a_text_that_is_too_large_has_no_patches():
    wide = "def alphabeta(n):\n" + "    n = n + 1\n" * edits.MAX_NODES
    assert patches_of(wide) == []


CODE_SIZE = len(marshal.dumps(compile(REFERENCE, "search.py", "exec")))


@pytest.mark.parametrize(
    "limit, value", [("MAX_PATCHES", 7), ("MAX_CODE_BYTES", 7 * CODE_SIZE)]
)
def test_the_number_and_the_size_of_patches_are_limited(patches, monkeypatch, limit, value):
    first = [patch for patch in patches if patch["number"] < 7]
    monkeypatch.setattr(edits, limit, value)
    assert patches_of(REFERENCE) == first


@pytest.fixture(scope="module")
def programs():
    """Return the mutants of the reference, as (name, code)."""
    return list(mutants_of([SimpleNamespace(name="reference", source=REFERENCE)]))


def test_mutants_have_many_kinds_of_small_mistakes(programs):
    names = [name for name, _ in programs]
    assert len(set(names)) == len(names) > 300
    changes = {name.split(" ", 1)[1] for name in names}
    assert changes > {
        "alpha >= beta becomes alpha > beta",
        "max becomes min",
        "beta becomes alpha",
        "break becomes continue",
        "return best becomes pass",
        "True becomes False",
    }


def test_mutants_differ_from_the_reference_and_can_be_stored(programs):
    unchanged = essence(compile(REFERENCE, "search.py", "exec"))
    for name, code in programs:
        assert essence(code) != unchanged, name
        assert marshal.dumps(code), name


def test_a_function_that_two_files_share_is_changed_once():
    shared = "def minimax(node, depth):\n    return node.value + depth\n"
    other = "def best_move(node, depth):\n    return node.children[0]\n"
    first = SimpleNamespace(name="one", source=shared)
    second = SimpleNamespace(name="two", source=shared + other)
    lines = {name.split(".")[0] for name, _ in mutants_of([first, second])}
    assert lines == {"one:2", "two:4"}


def test_survivors_are_the_mutants_that_are_correct_on_all_trees(programs, monkeypatch):
    monkeypatch.setattr(proofs, "CPU_SECONDS", 0.05)
    tie = tree_of([1, [1, 1]], "min", name="tie")
    tasks = tasks_of(TREE, tie)
    sample = programs[::80]
    survived = survivors(sample, tasks)
    assert survived == [program for program in sample if not first_wrong(program[1], tasks)]
    assert 0 < len(survived) < len(sample)


def test_a_program_that_raises_or_never_ends_is_wrong(monkeypatch):
    monkeypatch.setattr(proofs, "CPU_SECONDS", 0.05)
    tasks = tasks_of(TREE)
    endless = changed(("        best = -math.inf\n", "        while 1: pass\n"))
    assert first_wrong(REFERENCE, tasks) == 0
    assert first_wrong("raise ValueError", tasks) == 1
    assert first_wrong(endless, tasks) > 0
