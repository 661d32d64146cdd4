"""Known mistakes are named from traces alone, whatever the style of the code."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import pytest
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of

from autograder.counterexample import Counterexample
from autograder.grading import Grading
from autograder.judging.scores import plan_rows, score_rows
from autograder.kit import prepare
from autograder.mistakes.diagnosis import Clues, StateLeak, diagnose
from autograder.mistakes.library import (
    REFERENCE as REFERENCE_NAME,
)
from autograder.mistakes.library import (
    Library,
    find_first_wrong,
    may_keep_state,
    run_in_order,
    run_variant,
    signature,
    tasks_concerning,
)
from autograder.mistakes.reading import Reading
from autograder.mistakes.symptoms import symptom_of
from autograder.mistakes.variants import Variant, load_variant
from autograder.rubricfile import load_rubric
from autograder.showing.advice import describe_symptom, headline, make_advice
from autograder.showing.summary import feedback_text
from autograder.smalltrees.enumeration import Ladder
from gametree import parse_tree
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, RAISED, TIMED_OUT, Ending

REFERENCE = REFERENCE_SOURCE.decode()
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"
LARGE = "root: min\nrandom: {branching: 2, depth: 10, values: [0, 100], seed: 7}\n"


@pytest.fixture(scope="module")
def kit():
    return prepare()


@pytest.fixture(scope="module")
def quick(kit):
    """A library of the known mistakes, on trees of the kit that show each of them."""
    whole, shown = kit.library, set(kit.public_names)
    for variant in whole.variants:
        for function, own in whole.signatures[variant.name].items():
            rows = zip(
                whole.tasks_of(function), own, whole.signatures[REFERENCE_NAME][function]
            )
            wrong = [task for task, one, right in rows if one != right]
            wrong.sort(key=lambda task: len(task.expected.events))
            if not any(task.tree.name in shown for task in wrong):
                shown |= {task.tree.name for task in wrong[:1]}
    return on_trees(whole, shown)


def on_trees(library, names):
    """Return the library on some of its trees, without a run."""
    known = {name: {} for name in library.signatures}
    for name, own in library.signatures.items():
        for function, row in own.items():
            pairs = zip(library.tasks_of(function), row)
            known[name][function] = [one for task, one in pairs if task.tree.name in names]
    tasks = [task for task in library.tasks if task.tree.name in names]
    return Library(library.variants, tasks, known)


@pytest.fixture(scope="module")
def mistakes(quick):
    return {variant.name: variant for variant in quick.variants}


@pytest.fixture(scope="module")
def ladder():
    return Ladder(reference())


@pytest.fixture(scope="module")
def of_mistakes(kit, quick):
    """Name of a known mistake -> its verdicts, and what is diagnosed of it.

    What is kept from search to search depends on all of them, and each is run.
    """
    found = {}
    for mistake in quick.variants:
        library = kit.library if may_keep_state(mistake) else quick
        verdicts = verdicts_on(library, mistake)
        found[mistake.name] = verdicts, diagnose(library, verdicts)
    return found


def own_variant(source):
    return Variant("own", ROOT / "search.py", "", "", (), {}, source)


def verdicts_on(library, variant):
    """Run a variant on the library's tasks that it may get wrong, and judge it."""
    tasks = tasks_concerning(variant, library.tasks)
    runs = {task.key: trace for task, trace in run_in_order(variant, tasks)}
    return [judge(task, runs.get(task.key, task.expected)) for task in library.tasks]


def diagnosed(library, source, *clues):
    """Return the Diagnoses of a source text."""
    return diagnose(library, verdicts_on(library, own_variant(source)), *clues)


def names(diagnosis):
    """Return the names of the known mistakes that a Diagnosis names."""
    return [variant.name for variant in diagnosis.variants]


def correct(name, convention="equality"):
    """Return the text of another right submission."""
    path = ROOT / "solution" / "correct" / f"{name}.py"
    return load_variant(path, convention).source


def test_a_right_submission_has_no_diagnosis(quick):
    styles = map(load_variant, (ROOT / "solution" / "correct").glob("*.py"))
    assert [style.name for style in styles if diagnosed(quick, style.source)] == []


STYLES = (
    *("negamax", "negamax_colour", "max_and_min_functions", "explicit_stack"),
    *("generators", "class_behind_functions", "one_loop_with_a_sign", "closures"),
    *("aima_order", "reduce"),
)


def test_a_mistake_is_named_in_any_style(quick):
    assert any(not task.search.full_window for task in quick.tasks)
    looks = ("return node.evaluate()", "return (node.evaluate(), node.evaluate())[0]")
    strict = changed(looks, ("alpha >= beta", "alpha > beta"))
    for source in (strict, *(correct(style, "strict") for style in STYLES)):
        (diagnosis,) = diagnosed(quick, source)
        assert diagnosis.exact and names(diagnosis)[0] == "strict_cutoff", source
    for style in ("fail_hard", "max_and_min_functions", "index_loop"):
        diagnoses = diagnosed(quick, correct(style).replace("depth - 1", "depth"))
        (diagnosis,) = (d for d in diagnoses if "alphabeta" in d.functions)
        assert diagnosis.functions[:2] == ("minimax", "alphabeta"), style
        assert "depth_not_decreased" in names(diagnosis), style


def test_the_same_mistake_in_two_functions_is_said_once(quick):
    source = re.sub(r"-?math\.inf", "0", REFERENCE)
    (diagnosis,) = diagnosed(quick, source)
    assert diagnosis.functions == ("minimax", "alphabeta")
    assert names(diagnosis) == ["best_starts_at_zero"]
    assert make_advice(diagnosis).lead.startswith("minimax and alphabeta: You start")


def test_different_mistakes_in_two_functions_are_both_named(quick):
    backwards = ("in node.children", "in reversed(node.children)")  # is free in minimax
    source = changed(("-math.inf", "0"), ("math.inf", "0"), backwards, function="minimax")
    source = changed(("alpha >= beta", "alpha > beta"), source=source)
    diagnoses = diagnosed(quick, source)
    assert [(d.functions[0], names(d)[0]) for d in diagnoses] == [
        ("minimax", "minimax_best_starts_at_zero"),
        ("alphabeta", "strict_cutoff"),
    ]


def test_of_two_mistakes_at_once_the_clearer_is_offered_as_the_closest(kit):
    source = changed(("alpha >= beta", "alpha > beta"), ("-math.inf", "0"))
    (diagnosis,) = diagnosed(on_trees(kit.library, kit.public_names), source)
    assert not (diagnosis.exact or make_advice(diagnosis).sure)
    assert names(diagnosis) == ["strict_cutoff"]
    assert headline(diagnosis).startswith("Closest to: ")


NOTHING_NEAR = (
    ("return node.evaluate()", "return hash((node.evaluate(), 7)) % 1000 + len(node.name)"),
    ("return node.evaluate()", "return node.value"),  # raises before the first leaf
    ("for child in node.children", "for child in node.kids"),
    ("alpha >= beta", "alpha >= bta"),  # after the first leaf
    ("return best", "return bset"),
    ("break", "return max(best)"),  # the TypeError that a forgotten return gives, too
)


def test_noise_an_error_and_a_stub_are_not_taken_for_a_mistake(quick):
    before, _, _ = REFERENCE.partition("def alphabeta")
    stubs = before + STUB.format("alphabeta") + STUB.format("best_move")
    sources = [stubs, *map(changed, NOTHING_NEAR)]
    assert [source for source in sources if diagnosed(quick, source)] == []


def test_causes_that_cannot_be_told_apart_share_one_sentence(quick):
    (diagnosis,) = diagnosed(quick, changed(("break", "pass")))
    assert diagnosis.exact and len(diagnosis.variants) > 3
    advice = make_advice(diagnosis)
    assert advice.lead.startswith("Your alphabeta never prunes: it visits every leaf")
    assert len(advice.causes) == 3


SEEN = {
    "no_cutoff": "never prunes",
    "no_cutoff_at_max": "never cuts off at a MAX node",
    "no_cutoff_at_min": "never cuts off at a MIN node",
    "strict_cutoff": "goes on where alpha equals beta",
    "strict_cutoff_at_min": "goes on at MIN nodes where alpha equals beta",
    "parents_bound_only": "never cuts off by a bound from further up",
    "alpha_lost_at_min": "never cuts off a MIN node by an alpha from further up",
    "cutoff_after_leaves_only": "prunes too little",
    "return_in_loop_at_max": "leaves out children of MAX nodes",
    "cutoff_one_early": "leaves out leaves that can matter",
    "right_to_left": "does not search the children from left to right",
    "leaf_negated_for_min": "returns wrong values on some trees",
    "children_searched_twice": "visits the right leaves, but nodes more than once",
    "move_is_last_of_equals": "does not take the leftmost of several best moves",
    "move_as_value": "does not return what it is asked for",
}


def test_what_is_seen_names_the_player_and_the_kind_of_cutoff(kit, mistakes):
    for name, start in SEEN.items():
        function = "best_move" if name.startswith("move") else "alphabeta"
        tasks = kit.library.tasks_of(function)
        verdicts = list(map(judge, tasks, run_variant(mistakes[name], tasks)))
        said = describe_symptom(function, symptom_of(function, verdicts))
        assert said.startswith(f"Your {function} {start}"), name


def test_a_strict_course_names_the_mistakes_of_its_own_convention(mistakes):
    tie, bounds = (
        load_variant(ROOT / "solution" / "mistakes" / f"{name}.py", "strict")
        for name in ("strict_cutoff", "fail_hard_in_a_strict_course")
    )
    assert "already" in tie.headline and "alpha > beta" not in tie.headline
    assert "if alpha > beta:" in bounds.source and "cutoffs are lost" in bounds.headline
    assert tie.name in mistakes and bounds.name not in mistakes


def test_what_was_not_run_is_unknown_and_what_ran_on_is_endless(quick):
    task = quick.tasks_of("alphabeta")[0]
    not_run, timed_out, raised = (
        signature(task, replace(task.expected, ending=Ending(kind)))
        for kind in (NOT_RUN, TIMED_OUT, RAISED)
    )
    assert (not_run, timed_out) == (None, "endless") != (None, raised)


def test_what_a_known_mistake_prints_is_dropped(quick, mistakes, capsys):
    verdicts_on(quick, mistakes["prints_instead_of_returning"])
    assert capsys.readouterr().out == ""


def test_a_known_mistake_has_the_sandbox_s_budget_on_a_tree_of_2047_nodes(mistakes):
    moves = mistakes["move_always_for_max"], mistakes["first_move_taken"]
    library = Library(moves, tasks_of(parse_tree(LARGE, "large")))
    source = changed(("max if maximizing else min", "max"), function="best_move")
    (diagnosis,) = diagnosed(library, source)
    assert diagnosis.exact and names(diagnosis) == ["move_always_for_max"]


def test_an_exact_match_needs_most_searches_to_have_run(quick, of_mistakes):
    verdicts = list(of_mistakes["no_cutoff"][0])
    own = [n for n, one in enumerate(verdicts) if one.task.function == "alphabeta"]
    for number in own[4:]:
        task, trace = verdicts[number].task, verdicts[number].trace
        verdicts[number] = judge(task, replace(trace, ending=Ending(NOT_RUN)))
    assert diagnose(quick, verdicts) == ()


def test_what_fails_on_another_small_tree_first_is_no_exact_match(
    quick, mistakes, of_mistakes, ladder
):
    verdicts = of_mistakes["strict_cutoff_at_min"][0]
    tasks = ladder.tasks("alphabeta")
    place, wrong = find_first_wrong(mistakes["strict_cutoff_at_min"], tasks)
    for tried, exact in ((place, True), (place - 1, False), (place + 1, False)):
        clues = Clues(smallest=Counterexample(wrong, tried), small=ladder)
        assert any(d.exact for d in diagnose(quick, verdicts, clues)) is exact


def test_what_is_kept_is_told_with_a_search_before_it_and_chance_is_not_what_is_kept(quick):
    task = quick.tasks_of("alphabeta")[0]
    source = changed(("in node.children", "in node.children[1:]"))

    def told(kept, **reading):
        clues = Clues([kept], Reading(**reading))
        (diagnosis,) = diagnosed(quick, source, clues)
        return make_advice(diagnosis)

    lead = told(StateLeak(task, quick.tasks[0])).lead
    assert lead.startswith("alphabeta keeps something from one search to the next: its")
    assert "after others, such as minimax on" in lead and task.tree.title in lead
    for advice in (
        told(StateLeak(task, None, at_random=True)),
        told(StateLeak(task, None), at_random=True),
    ):
        assert "draws at random" in advice.lead and "left to right" in advice.check


def test_what_rests_on_another_function_is_told_to_mend_or_write_that_first(quick):
    clues = Clues(reading=Reading({"best_move": {"minimax"}, "alphabeta": {"minimax"}}))
    wrong = changed(("if maximizing", "if not maximizing"), function="minimax")
    call = ("alphabeta(child, depth - 1, alpha, beta,", "minimax(child, depth - 1,")
    for function, source, lead in (
        ("best_move", wrong, "is wrong: mend minimax first."),
        ("alphabeta", changed(call) + STUB.format("minimax"), "is not written yet."),
    ):
        told = {d.functions: make_advice(d).lead for d in diagnosed(quick, source, clues)}
        assert told[function,] == f"{function} calls minimax, which {lead}"
    again = (
        "return node.evaluate()",
        "return (node.evaluate(), node.children, node.evaluate())[0]",
    )
    source = changed(again, function="minimax")
    source = changed(
        ("node.children, key", "node.children[::-1], key"),
        function="best_move",
        source=source,
    )
    last = diagnosed(quick, source, clues)[-1]
    assert last.functions == ("best_move",) and not last.others, (
        "extra visits mislead nobody"
    )


def test_each_mistake_is_named_with_a_step_or_causes_on_a_screen_of_24_lines_of_90(
    mistakes, of_mistakes, ladder
):
    rubric, shown = load_rubric(ROOT / "autograder" / "rubric.yaml"), set()
    for name, (verdicts, diagnoses) in of_mistakes.items():
        mistake = mistakes[name]
        exact = chain.from_iterable(d.variants for d in diagnoses if d.exact)
        assert mistake.path in [variant.path for variant in exact], name
        advice, function = make_advice(diagnoses[0]), diagnoses[0].functions[0]
        assert advice.causes or advice.check.endswith(".") and len(advice.check) <= 92
        said = " ".join([advice.lead, *advice.causes, advice.check])
        assert not re.search(r"\b(stupid|cheat|forgot)", said.lower()), name
        if mistake.path in shown:  # a file that stands for several numbers
            continue
        shown.add(mistake.path)
        tasks = [verdict.task for verdict in verdicts]
        public = {task.tree.name for task in tasks[::2]}
        rows = score_rows(plan_rows(tasks, rubric, public), verdicts, rubric)
        grading = Grading(rows, diagnoses=diagnoses)
        place, wrong = find_first_wrong(mistake, ladder.tasks(function))
        if wrong and not may_keep_state(mistake):
            grading = replace(grading, counterexample=Counterexample(wrong, place))
        text = feedback_text(grading)
        lines = text.splitlines()
        assert len(lines) <= 24 and max(map(len, lines)) <= 90, text
        assert text.count(advice.lead[:60]) == 1, text
