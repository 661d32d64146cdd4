"""Small changes that may fix a program are offered as patches of one cost at a time."""

import ast
import base64
import json
import marshal
from itertools import product

import pytest
from helpers import CORRECT, cases, changed, tasks_of, tree_of

from autograder.explaining import patches as patches_module
from autograder.explaining.changes import COSTS, WORD
from autograder.explaining.patches import edits_at, make_patches, sites_of
from bench import proofs
from bench.proofs import Program, first_wrong

TREE = tree_of([[3, 5], [2, 9]])


def patches_of(source, function="alphabeta", right=()):
    """Return the patches of a function, as decoded JSON, cheapest first."""
    patches = []
    for cost, places in product(COSTS, (1, 2)):
        made = make_patches(source, function, right, cost, places)
        patches += json.loads(made)
    return patches


def all_edits(source, function="alphabeta", right=()):
    """Return the edits of a function, cheapest first."""
    sites = sites_of(ast.parse(source), function, right)
    return [edit for cost in COSTS for edit in edits_at(sites, cost)]


def with_slip(right, slip):
    """Return the reference with the first `right` in alphabeta replaced, and its line."""
    begin = CORRECT.index(right, CORRECT.index("def alphabeta"))
    before = CORRECT[:begin]
    after = CORRECT[begin + len(right) :]
    return before + slip + after, before.count("\n") + 1


def changes_of(source):
    """Return (line, if after it, description) of the edits that may fix alphabeta."""
    return {(*edit.place[:2], edit.what) for edit in all_edits(source)}


@cases("offered changes")
def test_the_change_that_undoes_a_slip_is_offered(right, slip, after, description):
    source, line = with_slip(right, slip)
    place = line - 1 if after else line
    assert (place, after, description) in changes_of(source)


@cases("changes of other styles")
def test_changes_are_offered_in_other_styles(source, description):
    assert description in {description for _, _, description in changes_of(source)}


@pytest.mark.parametrize("sign", [">", ">="])
def test_cutoffs_on_equality_and_strict_cutoffs_are_offered(sign):
    source, _ = with_slip("if alpha >= beta:", "if depth >= beta:")
    found = {edit.what for edit in all_edits(source) if edit.kind == "cutoff"}
    assert f"depth >= beta becomes alpha {sign} beta" in found


def test_a_name_that_is_used_as_a_condition_is_not_decremented():
    source = "def alphabeta(node, d):\n    if d:\n        alphabeta(node, d)\n"
    descriptions = {description for _, _, description in changes_of(source)}
    assert "d becomes not d" in descriptions
    assert "d becomes d - 1" not in descriptions


NOT_OFFERED = {
    "a slice as an index": ("kept[:] = n", "kept.setdefault"),
    "the player of an endless loop": ("while True: break", "True becomes False"),
    "a side of a chain": ("return 1 < n < 2", "1 < n < 2 becomes 1 <= n"),
}


@pytest.mark.parametrize("statement, change", NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_a_change_that_its_sentence_does_not_describe_is_not_offered(statement, change):
    source = f"def alphabeta(n, kept):\n    {statement}\n"
    assert change not in "\n".join(what for _, _, what in changes_of(source))


def test_every_change_can_be_undone():
    tree = ast.parse(CORRECT)
    before = ast.dump(tree)
    sites = sites_of(tree, "alphabeta", [])
    for cost in COSTS:
        for edit in edits_at(sites, cost):
            undo = [replacement.make() for replacement in edit.replacements]
            for restore in reversed(undo):
                restore()
            assert ast.dump(tree) == before, edit.what


def twins_of(source):
    """Return the descriptions of each two edits that make the same change."""
    pairs = patches_module.twins(all_edits(source))
    return [f"{first.what}; {second.what}" for first, second in pairs]


@cases("twins")
def test_the_same_change_at_max_and_at_min_is_one_patch(slips, description):
    assert description in twins_of(changed(*slips))


def test_opposite_changes_are_not_made_at_once():
    source = changed(("if alpha >= beta", "if alpha > beta"))
    opposite = "alpha > beta becomes alpha >= beta; alpha > beta becomes alpha <= beta"
    assert opposite not in twins_of(source)


@cases("changed lines")
def test_a_function_is_changed_in_its_own_code_and_that_of_wrong_functions(
    source, right, lines
):
    edits = all_edits(source, "c", right)
    assert sorted({edit.place[0] for edit in edits}) == lines


def test_code_that_a_function_does_not_reach_is_not_changed():
    lines = {edit.place[0] for edit in all_edits(CORRECT, "minimax")}
    first = CORRECT[: CORRECT.index("def alphabeta")].count("\n")
    assert lines
    assert max(lines) <= first


@pytest.fixture(scope="module")
def patches():
    """Return the patches of the reference."""
    return patches_of(CORRECT)


def test_changes_that_a_function_of_the_kit_makes_can_be_compiled(patches):
    made = {"arguments", "dropped", "indentation", "before the loop", "missing cutoff"}
    assert made <= {patch["kind"] for patch in patches}


def test_the_patches_of_one_cost_have_different_code():
    for cost in COSTS:
        patches = json.loads(make_patches(CORRECT, "alphabeta", [], cost, 1))
        codes = {patch["code"] for patch in patches}
        assert len(codes) == len(patches) > 15, cost


def test_a_patch_runs_only_what_its_functions_use():
    source = "SIZE = 1\nprint(SIZE)\ndef a(n): return n\ndef b(n): return n + SIZE\n"
    for function, names in (("a", {"a"}), ("b", {"b", "SIZE"})):
        patch = patches_of(source, function)[0]
        code = marshal.loads(base64.b64decode(patch["code"]))
        assert set(code.co_names) == names, function


MADE_FROM_A_FUNCTION = {
    "another name": "a = b\n",
    "a decorated function": "@b\ndef a(n): return n\n",
    "a default": "def a(n, other=b): return other(n)\n",
}


@pytest.mark.parametrize("text", MADE_FROM_A_FUNCTION.values(), ids=MADE_FROM_A_FUNCTION)
def test_a_patch_makes_again_what_was_made_from_a_changed_function(text):
    source = f"def b(n): return n + 1\ndef c(n): return n\n{text}"
    patch = patches_of(source, "a")[0]
    code = marshal.loads(base64.b64decode(patch["code"]))
    assert set(code.co_names) == {"a", "b"}


def test_a_text_that_is_too_large_has_no_patches(monkeypatch):
    monkeypatch.setattr(patches_module, "MAX_NODES", 100)
    wide = "def alphabeta(n):\n" + "    n = n + 1\n" * 100
    assert patches_of(wide) == []


CODE_SIZE = len(marshal.dumps(compile(CORRECT, "search.py", "exec")))


@pytest.mark.parametrize(
    "limit, value", [("MAX_PATCHES", 7), ("MAX_CODE_BYTES", 3 * CODE_SIZE)]
)
def test_the_number_and_the_size_of_patches_are_limited(patches, monkeypatch, limit, value):
    monkeypatch.setattr(patches_module, limit, value)
    source = f"{CORRECT}# {limit}"  # of another text, patches may be in a cache
    few = json.loads(make_patches(source, "alphabeta", [], WORD, 1))
    assert 0 < len(few) <= 7
    assert few == patches[: len(few)]


def test_a_program_that_raises_or_never_ends_is_wrong(monkeypatch):
    monkeypatch.setattr(proofs, "CPU_SECONDS", 0.05)
    tasks = tasks_of(TREE)
    endless = changed(("        best = -math.inf\n", "        while 1: pass\n"))
    assert first_wrong(Program(CORRECT), tasks) == 0
    assert first_wrong(Program("raise ValueError"), tasks) == 1
    assert first_wrong(Program(endless), tasks) > 0
