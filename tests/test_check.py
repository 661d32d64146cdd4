"""`make check` proves the kit, and a failed proof names the tree, the mistake and a fix."""

import re

import pytest
from helpers import ROOT, RUBRIC, copy_with, tasks_of, tree_of, variants_in
from helpers import own_kit as kit

from autograder.explaining.explanation import BEHAVES_LIKE, Diagnosis, Explanation
from autograder.explaining.library import run_variants
from autograder.explaining.variants import read_header, run_source
from autograder.grading import refuse
from autograder.scoring.tasks import EQUALITY, Reference, tasks_for
from autograder.workbench import check
from autograder.workbench.check import tree_to_add
from autograder.workbench.killmatrix import Losses, find_losses, write_matrix
from gametree import parse_tree
from gametree.support.errors import InputError

MISTAKES = {m.name: m for m in variants_in("mistakes")}
TIE = tree_of("[1, [1, 1]]", name="tie")
NO_TIE = tree_of("[3, [2, 1]]", name="no-tie")


def kit_of(*trees, hidden=True, **changes):
    """Return the kit with these trees only, which are hidden or public."""
    tasks = tuple(tasks_of(*trees, hidden=hidden))
    sets = {"public": (), "hidden": trees} if hidden else {"public": trees, "hidden": ()}
    return copy_with(kit(), tasks=tasks, **sets, **changes)


def losses_of(kit, *names):
    """Return name -> Losses of these known mistakes."""
    programs = [MISTAKES[name] for name in names]
    return find_losses(kit, run_variants(programs, kit.tasks))


def test_a_mistake_loses_points_only_on_trees_that_reveal_it():
    course = kit_of(TIE, NO_TIE)
    losses = losses_of(course, "strict_cutoff", "no_cutoff")
    (ties,) = [row for row in course.rows if row.name == "alphabeta: ties"]
    assert losses["strict_cutoff"].trees == ["tie"]
    assert 0 < losses["strict_cutoff"].cents < ties.max_cents
    assert losses["no_cutoff"].trees == ["tie", "no-tie"]


def test_public_trees_do_not_count_as_killing_trees():
    (losses,) = losses_of(kit_of(TIE, hidden=False), "strict_cutoff").values()
    assert losses.cents > 0
    assert losses.trees == []


def test_the_matrix_starts_with_the_program_that_loses_least(tmp_path):
    losses = {"much": Losses(5208, ["tie", "no-tie"]), "little": Losses(2096, ["tie"])}
    path = tmp_path / "build" / "matrix.csv"
    write_matrix(path, losses)
    assert path.read_text("utf-8-sig").splitlines() == [
        "mistake,points,trees,names",
        "little,20.96,1,tie",
        "much,52.08,2,tie,no-tie",
    ]


def test_a_mistake_in_a_part_without_points_loses_nothing():
    free = {"value": 15, "leaves": 85, "node count": 0}
    rubric = RUBRIC._replace(shares={**RUBRIC.shares, "alphabeta": free})
    course = kit_of(tree_of("[[3, 9], [2, 1]]"), rubric=rubric)
    losses = losses_of(course, "children_searched_twice")
    assert losses == {"children_searched_twice": Losses(0, [])}


def stated_points(program):
    """Return the least and the most points in a program's header, or [] for a copy."""
    if program.name != program.path.stem:
        return []
    lines = read_header(program.path.read_text())["Points"]
    return [float(number) for line in lines for number in line.split(" to ")]


WITH_POINTS = [p for p in (*variants_in("lazy"), *MISTAKES.values()) if stated_points(p)]


@pytest.fixture(scope="module")
def losses():
    """Return the losses of these programs on the kit's trees."""
    return find_losses(kit(), run_variants(WITH_POINTS, kit().tasks))


@pytest.mark.parametrize("program", WITH_POINTS, ids=[p.name for p in WITH_POINTS])
def test_a_program_earns_the_points_that_its_header_states(losses, program):
    low, high = stated_points(program)
    earned = 100 - losses[program.name].cents / 100
    assert low <= round(earned, 2) <= high


def test_the_points_of_typical_mistakes_are_printed_by_points(capsys):
    losses = {"no_cutoff": Losses(5208, []), "strict_cutoff": Losses(2096, [])}
    check.show_typical_scores(kit(), losses, [MISTAKES[name] for name in losses])
    assert capsys.readouterr().out.splitlines() == [
        "        of 100 points, this rubric gives",
        f"         79.04  {MISTAKES['strict_cutoff'].headline}",
        f"         47.92  {MISTAKES['no_cutoff'].headline}",
    ]


def test_each_typical_mistake_is_a_known_mistake():
    names = {mistake.name for mistake in kit().mistakes}
    assert [name for name in check.TYPICAL if name not in names] == []


def test_rows_with_fewer_than_three_trees_are_named(capsys):
    trees = [tree_of(f"[3, {10**power}]", name=f"large {power}") for power in (5, 6, 7)]
    check.warn_of_rows_with_few_trees(kit_of(*trees, TIE))
    line = capsys.readouterr().out.strip()
    assert line.startswith("fewer than 3 trees are about minimax: public trees; ")
    assert "; alphabeta: ties; " in line
    assert "minimax: at the limits" not in line
    assert line.endswith("; add trees, or omit the row")


def test_the_nodes_of_all_searches_are_counted_for_each_function():
    tasks = tasks_of(TIE, TIE, functions=["minimax", "alphabeta"])
    assert check.uncaught_limits(tasks) == (
        "not caught: a limit on the nodes of all searches together, "
        "from 10 in minimax, 8 in alphabeta on"
    )


ESCAPES = "strict_cutoff loses points on too few hidden trees (4); "
ESCAPES += "add a tree such as MAX [1, [1, 1]]"


@pytest.mark.parametrize("trees, problems", [(5, []), (4, [ESCAPES])])
def test_a_mistake_that_too_few_trees_kill_is_named_with_a_tree_to_add(
    monkeypatch, tmp_path, trees, problems
):
    monkeypatch.setattr(check, "MATRIX", tmp_path / "matrix.csv")
    course = kit_of(*[TIE._replace(name=f"tie-{number}") for number in range(trees)])
    vars(course)["library"] = run_variants([MISTAKES["strict_cutoff"]], course.tasks)
    name = "every known mistake loses points on 5 hidden trees or more"
    remark = f"{1 - len(problems)} of 1"
    assert check.prove_mistakes(course) == (name, problems, remark)
    assert check.MATRIX.exists()


def test_a_mistake_that_no_small_tree_reveals_needs_larger_trees(monkeypatch):
    monkeypatch.setattr(check, "small_trees", lambda: [NO_TIE])
    line = tree_to_add(kit(), MISTAKES["strict_cutoff"], 0)
    assert line.endswith("on too few hidden trees (0); add larger trees")


def reference_of(body):
    """Return a reference with a minimax that has this body."""
    program = run_source(f"def minimax(*_):\n    {body}\n")
    return Reference(program, EQUALITY, {"minimax": ("value",)})


def test_a_reference_that_the_judge_at_home_refuses_is_named_with_the_tree():
    tasks = tasks_for([TIE, NO_TIE], reference_of("return 2"))
    assert list(check.reference_problems(tasks)) == [
        "minimax on tie (depth 2, MAX moves first): returned 2, expected 1; values are in "
        "MAX's sense, whoever moves; fix solution/search.py, or the record in "
        "starter/gametree/functions.py"
    ]


@pytest.mark.parametrize(
    "body, how",
    [("raise ValueError(7)", "raised ValueError: 7"), ("pass", "returned None")],
)
def test_a_reference_without_an_answer_is_named_with_the_tree(body, how):
    with pytest.raises(InputError, match=f"^tie: the reference's minimax {how}; fix "):
        tasks_for([TIE], reference_of(body))


WRONG_FIGURES = """
root: max
tree: {a: 1, b: 2}
searches:
  - published: {value: 3, leaves: [a], pruned: [b], move: a}
  - {depth: 1, published: {value: 2, leaves: [b, a], pruned: [], move: b, nodes: 3}}
  - {alpha: 1, published: {leaves: [a, b, b]}}
  - {alpha: 0, published: {leaves: [a, A]}}
  - {alpha: 0.5, published: {move: b}}
"""


def test_unsuitable_trees_fail_the_check():
    wrong = parse_tree(WRONG_FIGURES, "wrong")._replace(lesson="figures")
    proofs = check.short_proofs(kit_of(TIE, TIE._replace(name="again"), wrong))
    failed = {name: problems for name, problems, _ in proofs if problems}
    assert list(failed) == [
        "the sets of trees satisfy the rules",
        "published figures are reproduced",
        "the hidden trees show all required features",
    ]
    assert failed["published figures are reproduced"] == [
        "wrong: published value is 3, the reference's is 2; correct the file",
        "wrong: published leaves is a, the reference's is a, b; correct the file",
        "wrong: published pruned is b, the reference's is nothing; correct the file",
        "wrong: published move is a, the reference's is b; correct the file",
        "wrong: published leaves is a, b, b, the reference's is a, b; correct the file",
        "wrong: published leaves is A, a, the reference's is a, b; correct the file",
        "wrong: a move is published for a search that best_move does not make, such as one "
        "in a window; delete it",
    ]


# ---- mistakes of a course's own

NAMED = "students read its headline; add to its header: Line: nothing"
LINE = "a change of one line fixes it, so students do not read its headline; add to its "
LINE += "header: Line: comparison in if"


def test_a_mistake_that_one_line_fixes_needs_its_change_in_the_header(grade_source):
    mistake = MISTAKES["strict_cutoff_at_min"]
    found = grade_source(mistake.source).explanation
    assert check.naming(mistake, found) == LINE


def test_a_mistake_without_a_line_that_is_named_needs_that_in_the_header():
    mistake = MISTAKES["move_always_for_max"]
    diagnosis = Diagnosis("best_move", BEHAVES_LIKE, mistake)
    found = Explanation(diagnoses={"best_move": diagnosis})
    assert check.naming(mistake, found) == NAMED


def test_only_a_mistake_without_its_line_is_graded_to_see_if_students_read_it(
    monkeypatch, capsys
):
    """All mistakes of the kit have this line."""
    own = MISTAKES["table_by_name"]._replace(fixes=frozenset())
    copy = own._replace(name="table_by_name_for_max")
    course = copy_with(kit())
    vars(course)["mistakes"] = [*MISTAKES.values(), own, copy]
    monkeypatch.setattr(check, "grade", lambda *_: refuse(kit(), ""))
    check.say_which_are_named(course)
    reason = "students do not read its headline, because another reason is found"
    line = f"note    solution/mistakes/table_by_name.py: {reason}\n"
    assert capsys.readouterr().out == line


# ---- programs of the kit


@pytest.mark.parametrize("faults", [[], ["...\nKeyError: 1"]])
def test_an_error_in_the_hints_of_a_wrong_program_is_reported(monkeypatch, faults):
    grading = refuse(kit(), "")._replace(faults=tuple(faults))
    monkeypatch.setattr(check, "grade", lambda *_: grading)
    stubs, reference, wrong = check.prove_gradings(kit())
    assert stubs.problems == []
    assert reference.problems == ["it scores 0; run make grade"]
    assert wrong.problems == [f"{check.WRONG}: KeyError: 1"] * len(faults)


def test_a_correct_program_that_fails_is_named_with_its_tree(monkeypatch):
    reference = variants_in("correct")[0]
    wrong = reference._replace(source=MISTAKES["no_cutoff"].source)
    monkeypatch.setattr(check, "load_variants", lambda *_: (wrong,))
    proof = check.prove_correct_programs(kit_of(TIE))
    path = wrong.path.relative_to(ROOT)
    line = f"{path} fails on tie; run make grade SUBMISSION={path}"
    assert proof.problems == [line, line]  # it is loaded from both folders


# ---- the end of a check

FINE = check.Proof("fine", [], "2 programs")
BAD = check.Proof("bad", ["fix it"])


@pytest.fixture
def check_of(monkeypatch, capsys, tmp_path):
    """Return a function: proofs -> the result of a command, and its lines."""
    monkeypatch.setattr(check, "PROOF", tmp_path / "proof")

    def run(short, long, command=check.main):
        monkeypatch.setattr(check, "short_proofs", lambda _: short)
        monkeypatch.setattr(check, "long_proofs", lambda _: long)
        return command(), capsys.readouterr().out.splitlines()

    return run


def test_a_failed_check_ends_with_its_failed_proofs_and_runs_no_long_proof(check_of):
    status, lines = check_of([BAD, FINE], None)
    *_, bad, advice, fine, last = lines
    assert status == 1
    assert [bad, advice] == ["FAILED  bad", "        fix it"]
    assert fine == "ok      fine: 2 programs"
    assert re.fullmatch(r"FAILED in \d+ s: bad; the lines above name the fixes", last)


def test_files_that_were_proved_need_no_second_proof(check_of, monkeypatch):
    status, lines = check_of([FINE], [FINE])
    assert status == 0
    assert re.fullmatch(r"all proved in \d+ s", lines[-1])
    unchanged = ["proved by make check, and no file has changed since"]
    assert check_of(None, None, check.is_proved) == (True, unchanged)
    monkeypatch.setattr(check, "proof_hash", lambda _: "a changed file")
    assert check_of([BAD], None, check.is_proved)[0] is False
