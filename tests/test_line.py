"""The line of a mistake is found, described in a sentence and shown."""

import marshal
import math

import pytest
from drawn import (
    NO_CUTOFF,
    RUBRIC,
    explained,
    failing_on,
    grading_of,
    textbook,
    verdict_of,
    verdict_on,
)
from helpers import (
    CORRECT,
    cases,
    changed,
    small_kit,
    tables_beside,
    tasks_of,
    tree_of,
    variant,
)

from autograder.explaining.changes import COSTS, KINDS, WORD
from autograder.explaining.explain import read_text
from autograder.explaining.explanation import (
    FunctionText,
    Localisation,
    Patch,
    Place,
    Reading,
)
from autograder.explaining.line import (
    MAX_COSTS,
    Workshop,
    localise,
    public_tasks_to_pass,
    tasks_to_pass,
)
from autograder.explaining.variants import overlay
from autograder.grading import grade
from autograder.sandbox import Session
from autograder.scoring.rubric import LINE
from autograder.showing.messages import pointer_to
from autograder.showing.report import report_html
from autograder.showing.summary import WIDTH
from bench.proofs import Program, TrustedWorkshop, first_wrong
from gametree.functions import FUNCTIONS
from gametree.support.trace import (
    OUT_OF_QUERIES,
    RETURNED,
    TIMED_OUT,
    Answer,
    Ending,
    Trace,
)

AT_MAX = "            if alpha >= beta:  # cutoff\n                break\n    else:"
LINE_AT_MAX = 1 + CORRECT[: CORRECT.index(AT_MAX)].count("\n")
STRICT_AT_MAX = changed((AT_MAX, AT_MAX.replace(">=", ">")))
CORRECT_ON_SMALL_TREES = changed(("in node.children", "in node.children[:6]"))
TREES = textbook(), tree_of([1, [1, 1]], "min", name="tie")
PUBLIC = tasks_of(*TREES)


def find_in(source, ladder, function="alphabeta"):
    """Return the Localisation of the only wrong function in a trusted program."""
    small = list(ladder.tasks(function))
    first = first_wrong(Program(source), small)
    tasks = tasks_to_pass(ladder, small[first - 1], first)
    public = [task for task in PUBLIC if task.function == function]
    others = [name for name in FUNCTIONS if name != function]
    return localise(TrustedWorkshop(source, function, others), tasks, public)


def lines_of(found):
    """Return the numbers of the lines of a Localisation."""
    return [place.line for place in found.places]


@cases("lines found")
def test_the_line_of_one_error_is_found(function, old, new, line, after, kind, ladder):
    source = changed((old, new), function=function)
    found = find_in(source, ladder, function)
    (place,) = found.places
    assert source.splitlines()[place.line - 1].strip() == line
    assert (place.after, found.kind) == (after, kind)
    assert not found.together


@cases("parts found")
def test_the_part_of_a_line_is_found_in_many_spellings(
    function, source, line, part, ladder
):
    source = overlay(source, CORRECT)
    found = find_in(source, ladder, function)
    (place,) = found.places
    text = source.splitlines()[place.line - 1]
    marked = text[slice(*place.columns)] if place.columns else "after"
    assert (text.strip(), marked) == (line, part)


WITH_ALL_KINDS = [  # programs in which each kind makes a change that no earlier kind makes
    "an entry of a frame",
    "an attribute of a frame",
    "a constant in a helper",
    "a first child of MIN that lowers no bound",
    "a choice that takes in a product",
    "a comparison instead of an assignment",
    "an iterator that is read twice",
    "a bound of the outer function that inner calls never restore",
    "the sign of a color taken from the depth",
]


def test_no_kind_of_change_is_dead():
    kinds = set()
    for name in WITH_ALL_KINDS:
        function, text, *_ = tables_beside(__file__)["parts found"][name]
        workshop = TrustedWorkshop(overlay(text, CORRECT), function)
        for cost in COSTS:
            kinds.update(patch.kind for patch in workshop.patches(cost, 1))
    assert {kind.name for kind in KINDS} <= kinds


def test_a_missing_return_is_not_called_a_missing_cutoff(ladder):
    only_at_max = changed(
        ("    else:", "        return best\n    else:"), ("break\n    return best", "break")
    )
    assert find_in(only_at_max, ladder).kind == "missing return"


def test_a_change_has_a_place_and_a_description(ladder):
    found = find_in(STRICT_AT_MAX, ladder)
    assert found.places == (Place(LINE_AT_MAX, columns=(15, 27)),)
    assert (found.kind, found.together) == ("comparison", False)


class ScriptedWorkshop:
    """A workshop with patches of given lines. Their code says whether they pass.

    passed: the number of trees that a right patch passes.
    unchanged: the number of trees that fail before the unchanged program passes one.
    ending: how the searches of wrong patches end.
    tried: the number of searches that were run.
    """

    def __init__(
        self, right=(), wrong=(), passed=math.inf, unchanged=math.inf, ending=RETURNED
    ):
        self.passed = passed
        self.unchanged = unchanged
        self.ending = Ending(ending)
        self.tried = 0
        self.offered = [[]]  # lists of patches, cheapest first
        for line in right:
            self.add(b"right", line)
        for line in wrong:
            self.add(b"wrong", line)

    def add(self, code, *lines):
        patch = Patch(code, tuple(map(Place, lines)), "sign")
        self.offered[-1].append(patch)

    def patches(self, cost, places):
        return self.offered.pop(0) if self.offered else []

    def run(self, searches):
        for code, task in searches:
            self.tried += 1
            number = int(task.tree.name.removeprefix("tree "))
            is_passed = {
                b"right": number < self.passed,
                b"": number >= self.unchanged,
            }
            ending = self.ending if code == b"wrong" else Ending(RETURNED)
            if is_passed.get(code):
                yield task.expected
            else:
                yield Trace(task.function, task.search, [], Answer("str"), ending)


def find_by(workshop, count=30):
    """Return the Localisation on some small trees. The first of them fails."""
    trees = [tree_of([n, 1], name=f"tree {n}") for n in range(count)]
    return localise(workshop, tasks_of(*trees, functions=("minimax",)), [])


def test_three_lines_are_named():
    assert lines_of(find_by(ScriptedWorkshop(right=(4, 6, 9)))) == [4, 6, 9]


def test_no_line_is_named_if_four_lines_pass_or_none_passes():
    assert find_by(ScriptedWorkshop(right=(4, 6, 9, 11))) is None
    assert find_by(ScriptedWorkshop(wrong=(5,))) is None


def test_only_the_cheapest_changes_are_named():
    workshop = ScriptedWorkshop(right=(5,))
    workshop.offered.append([])
    workshop.add(b"right", 8)
    assert lines_of(find_by(workshop)) == [5]
    assert workshop.offered != [], "the second list was made"


def test_a_change_at_two_places_is_named_only_without_one_at_one_place():
    for right, lines in (((5,), [5]), ((), [6, 7])):
        workshop = ScriptedWorkshop(right)
        workshop.offered.append([])
        workshop.add(b"right", 6, 7)
        workshop.add(b"right", 8, 9)
        found = find_by(workshop)
        assert (lines_of(found), found.together) == (lines, len(lines) == 2), lines


@pytest.mark.parametrize(
    "cost, ending",
    {"searches": RETURNED, "deaths": OUT_OF_QUERIES, "timeouts": TIMED_OUT}.items(),
)
def test_the_cost_of_wrong_patches_is_limited(monkeypatch, cost, ending):
    monkeypatch.setitem(MAX_COSTS, cost, 50)
    workshop = ScriptedWorkshop(wrong=range(900), ending=ending)
    assert find_by(workshop) is None
    assert 50 < workshop.tried < 110


def test_a_proof_passes_every_task():
    assert find_by(ScriptedWorkshop(right=(5,), passed=330), count=330).proofs
    assert not find_by(ScriptedWorkshop(right=(5,), passed=329), count=330).proofs


@pytest.mark.parametrize(
    "passed, unchanged, repaired", [(16, 30, True), (15, 30, False), (20, 25, False)]
)
def test_a_repair_passes_most_failing_tasks_and_all_others(passed, unchanged, repaired):
    found = find_by(ScriptedWorkshop((5,), passed=passed, unchanged=unchanged))
    assert (found is not None) == repaired
    if found:
        assert (lines_of(found), found.proofs, found.repair.code) == ([5], (), b"right")


def test_a_repair_passes_all_other_tasks_after_wrong_patches_that_ended_workers():
    workshop = ScriptedWorkshop((5,), range(20), 20, 25, ending=OUT_OF_QUERIES)
    assert find_by(workshop) is None


@cases("repairs found")
def test_the_repair_of_one_of_two_mistakes_is_found(source, line, part, ladder):
    source = overlay(source, CORRECT)
    found = find_in(source, ladder)
    (place,) = found.places
    text = source.splitlines()[place.line - 1]
    assert (text.strip(), text[slice(*place.columns)], found.proofs) == (line, part, ())


BY_ALPHABETA = """
def minimax(node, depth, maximizing):
    return alphabeta(node, depth, -math.inf, math.inf, maximizing)
"""
CALLS = Reading({"alphabeta": FunctionText(calls=["minimax"])})


@pytest.mark.parametrize(
    "function, reading, kept",
    [
        ("minimax", Reading(), ["minimax textbook", "minimax tie", "alphabeta textbook"]),
        ("minimax", CALLS, ["minimax textbook", "minimax tie"]),
        ("alphabeta", Reading(), ["alphabeta textbook", "alphabeta tie"]),
    ],
)
def test_a_change_may_not_spoil_another_search_that_prunes(function, reading, kept):
    strict = changed(("alpha >= beta", "alpha > beta")) + BY_ALPHABETA
    tasks = tasks_of(*TREES, functions=("minimax", "alphabeta"))
    verdicts = [verdict_on(task, strict) for task in tasks]
    chosen = public_tasks_to_pass(function, verdicts, reading)
    assert {f"{task.function} {task.tree.name}" for task in chosen} == set(kept)


def test_a_change_that_fails_only_on_random_trees_is_not_shown(ladder):
    found = find_in(variant("mistakes/null_window_first_fail_hard").source, ladder)
    assert found.kind == "name"  # child becomes first, and not min becomes max


@pytest.fixture(scope="module")
def sandbox(sandbox_for):
    """Return the sandbox with the limits of the kit's rubric."""
    return sandbox_for(RUBRIC.limits)


@pytest.mark.parametrize("source", [CORRECT, CORRECT_ON_SMALL_TREES])
def test_no_line_is_named_if_every_tree_passes(sandbox, short_ladder, source):
    hidden = (tree_of("[[3, 5], [7, 2]]", "min", name="small"),)
    kit = small_kit(TREES, hidden, hints=LINE)
    assert grade(kit, source.encode(), sandbox).explanation.lines == {}


UNREADABLE = {
    "strings in strings": b'"\\' * 49_000,
    "parentheses": b"(" * 99_000,
    "signs": b"-" * 999_000 + b"1",
    "an assignment": b"x = " + b"-" * 40_000 + b"1\n",
    "few parentheses": b"(" * 300,
    "a null byte": b"\0",
    "a slip": b"def f(",
}


@pytest.mark.parametrize("source", UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_text_gives_an_empty_reading(sandbox, source):
    session = Session(sandbox, source)
    workshop = Workshop(session, "alphabeta", [], session.budget)
    assert workshop.patches(WORD, 1) == []
    assert read_text(session, session.budget) == Reading()


def change_of(text):
    """Return the code of a patch with new definitions."""
    return marshal.dumps(compile(text, "search.py", "exec"))


def test_a_change_that_never_finishes_loading_times_out_soon(sandbox):
    session = Session(sandbox, b"")
    budget = session.budget.tighter(search_cpu_seconds=0.1)
    workshop = Workshop(session, "minimax", [], budget)
    task = PUBLIC[0]
    changes = [change_of("while True: pass"), change_of(CORRECT)]
    stopped, right = workshop.run([(change, task) for change in changes])
    assert stopped.ending.kind == TIMED_OUT
    assert right.answer == task.expected.answer


def found_at(*proofs):
    """Return a Localisation in a text with an escape sequence in line 35."""
    text = {}
    for number in range(30, 45):
        indentation = "    " * (number % 3)
        text[number] = f"{indentation}line {number}"
    text[35] = "        print('\x1b[31m')"
    places = [place for patch in proofs for place in patch.places]
    return Localisation(tuple(places), proofs, text=text)


def proof(*places, kind="comparison"):
    """Return a Patch at these places."""
    return Patch(b"", places, kind, ("alpha",))


@cases("lines in words")
def test_one_sentence_names_the_line(places, kinds, beginning):
    proofs = []
    for changed_places, kind in zip(places, kinds):
        at = [Place(*place) for place in changed_places]
        proofs.append(proof(*at, kind=kind))
    found = found_at(*proofs)
    assert pointer_to(found).sentence == f"{beginning}, every tree tried is correct."


def test_a_repair_claims_less_than_a_proof():
    patch = proof(Place(36, columns=(0, 4)))
    found = Localisation(patch.places, repair=patch)
    assert pointer_to(found).sentence == (
        "Look at the marked part of line 36. With a small change there, most of the wrong"
        " trees tried become correct, and no correct one becomes wrong."
    )


def test_the_line_is_marked_between_its_neighbors():
    pointer = pointer_to(found_at(proof(Place(36, columns=(0, 4)))))
    assert pointer.marked == [36]
    assert pointer.shown()[5:9] == [
        "   35         print('?[31m')",
        " > 36 line 36",
        "      ^^^^",
        "   37     line 37",
    ]


def found_in_line(text, *columns):
    """Return a Localisation of parts of line 7."""
    places = tuple(Place(7, columns=parts) for parts in columns)
    return Localisation(places, text={7: text})


@cases("marked parts")
def test_carets_mark_the_parts_that_change(text, columns, line, carets):
    found = found_in_line(text, *columns)
    assert pointer_to(found).shown() == [f" > 7 {line}", f"     {carets}"]


def test_a_long_line_is_cut():
    found = found_in_line("    return max(" + "0, " * 99, (4, 10))
    shown, carets = pointer_to(found).shown()
    assert shown.startswith(" > 7 return max(0, 0, ")
    assert shown.endswith(" ...")
    assert len(shown) <= WIDTH
    assert carets == "     ^^^^^^"


@pytest.mark.parametrize("length, marked", [(4, "beta"), (90, "beta" * 20)])
def test_a_long_line_is_cut_where_its_part_is_visible(length, marked):
    text = "0, " * 99 + "beta" * 90
    found = found_in_line(text, (297, 297 + length))
    shown, carets = pointer_to(found).shown()
    assert shown.startswith(" > 7 ... ")
    assert len(shown) <= WIDTH
    first = carets.index("^")
    assert marked.startswith(shown[first : len(carets)].removesuffix(" ..."))


def test_the_report_marks_the_part_of_the_line():
    smallest = failing_on(verdict_of(NO_CUTOFF, tree_of([1, [1, 1]])), 107)
    wrong = grading_of(NO_CUTOFF, [textbook()])
    lines = {"alphabeta": found_at(proof(Place(36, columns=(5, 7))))}
    html = report_html(explained(wrong, smallest=smallest, lines=lines))
    assert "<span class=marked><i>36</i>line <mark>36</mark>\n</span>" in html
