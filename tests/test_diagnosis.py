"""Known mistakes are named from traces alone, whatever the style of the code."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, islice

import pytest
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of

from autograder.counterexample import Counterexample
from autograder.grading import Grading
from autograder.judging.scores import make_rows, rows_to_come
from autograder.judging.seen import symptom_of
from autograder.kit import load_kit, prepare
from autograder.mistakes.diagnosis import Clues, Kept, diagnose
from autograder.mistakes.library import (
    RIGHT,
    Library,
    first_wrong,
    keeps_state,
    run_in_order,
    run_variant,
    signature,
)
from autograder.mistakes.reading import Reading
from autograder.mistakes.variants import Variant, load_variant, load_variants
from autograder.rubric import load_rubric
from autograder.showing.summary import feedback_text
from autograder.showing.told import advice_of, headline, seen_of
from autograder.smalltrees.enumeration import Ladder
from gametree import parse_tree
from gametree.judging import judge
from gametree.trace import NOT_RUN, RAISED, TIMED_OUT, Answer, Ending, Trace

REFERENCE = REFERENCE_SOURCE.decode()
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"
LARGE = "root: min\nrandom: {branching: 2, depth: 10, values: [0, 100], seed: 7}\n"


@pytest.fixture(scope="module")
def quick():
    """A library of the known mistakes, on trees of the kit that show each of them."""
    kit = prepare()
    some = trees_that_show(kit)
    tasks = [task for task in kit.tasks if task.tree.name in some]
    return Library(kit.library.variants, tasks, REFERENCE)


def trees_that_show(kit):
    """Return the names of the public trees, and of one on which each mistake shows."""
    shown = set(kit.public_names)
    for variant in kit.library.variants:
        for function, own in kit.library.known[variant.name].items():
            right = kit.library.known[RIGHT][function]
            tasks = zip(kit.library.tasks_of(function), own, right)
            wrong = [task for task, one, other in tasks if one != other]
            wrong.sort(key=lambda task: len(task.expected.events))
            if not any(task.tree.name in shown for task in wrong):
                shown |= {task.tree.name for task in wrong[:1]}
    return shown


@pytest.fixture(scope="module")
def mistakes(quick):
    return {variant.name: variant for variant in quick.variants}


@pytest.fixture(scope="module")
def of_mistakes(quick):
    """What is diagnosed of each known mistake, by name."""
    return {mistake.name: diagnosed(quick, mistake) for mistake in quick.variants}


def runs_of(library, submission):
    """Run a source text or a Variant on the library's tasks: the Trace of each."""
    if not isinstance(submission, Variant):
        submission = Variant("own", ROOT / "search.py", "", "", (), {}, submission)
    return [trace for _, trace in run_in_order(submission, library.tasks)]


def diagnosed(library, submission, clues=None):
    """Return the Diagnoses of a source text, a Variant, or its runs."""
    runs = submission if isinstance(submission, list) else runs_of(library, submission)
    verdicts = [judge(task, trace) for task, trace in zip(library.tasks, runs)]
    return diagnose(library, verdicts, *[clues] * (clues is not None))


def names(diagnosis):
    """Return the names of the known mistakes that a Diagnosis names."""
    return [variant.name for variant in diagnosis.variants]


def correct(name, convention="equality"):
    """Return the text of another right submission."""
    path = ROOT / "solution" / "correct" / f"{name}.py"
    return load_variant(path, convention).source


def test_every_known_mistake_is_named_or_one_of_those_that_behave_just_alike(
    of_mistakes, mistakes
):
    for mistake, diagnoses in of_mistakes.items():
        exact = chain.from_iterable(d.variants for d in diagnoses if d.exact)
        assert mistakes[mistake].path in [variant.path for variant in exact], mistake


def test_a_right_submission_has_no_diagnosis(quick):
    styles = map(load_variant, (ROOT / "solution" / "correct").glob("*.py"))
    assert [style.name for style in styles if diagnosed(quick, style)] == []


STYLES = (
    *("negamax", "negamax_colour", "max_and_min_functions", "explicit_stack"),
    *("generators", "class_behind_functions", "one_loop_with_a_sign", "closures"),
    *("aima_order", "reduce"),
)


def test_a_mistake_is_named_in_any_style(quick):
    for style in STYLES:
        (diagnosis,) = diagnosed(quick, correct(style, "strict"))
        assert diagnosis.exact and names(diagnosis)[0] == "strict_cutoff", style
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
    assert advice_of(diagnosis).lead.startswith("minimax and alphabeta: You start")


def test_different_mistakes_in_two_functions_are_both_named(quick):
    source = changed(("-math.inf", "0"), ("math.inf", "0"), function="minimax")
    source = changed(("alpha >= beta", "alpha > beta"), source=source)
    diagnoses = diagnosed(quick, source)
    assert [(d.functions[0], names(d)[0]) for d in diagnoses] == [
        ("minimax", "minimax_best_starts_at_zero"),
        ("alphabeta", "strict_cutoff"),
    ]


def test_of_two_mistakes_at_once_the_clearer_is_offered_as_the_closest(quick):
    public = [task for task in quick.tasks if not task.hidden]
    source = changed(("alpha >= beta", "alpha > beta"), ("-math.inf", "0"))
    (diagnosis,) = diagnosed(Library(quick.variants, public, REFERENCE), source)
    assert not (diagnosis.exact or advice_of(diagnosis).sure)
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
    advice = advice_of(diagnosis)
    assert advice.lead.startswith("Your alphabeta never prunes: it visits every leaf")
    assert len(advice.causes) == 3


def test_each_diagnosis_accuses_nobody_and_names_a_step_or_causes(of_mistakes):
    for diagnoses in of_mistakes.values():
        advice = advice_of(diagnoses[0])
        assert advice.causes or advice.check.endswith(".") and len(advice.check) <= 92
        text = " ".join([advice.lead, *advice.causes, advice.check])
        assert not re.search(r"\b(stupid|cheat|forgot)", text.lower())


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


def test_what_is_seen_names_the_player_and_the_kind_of_cutoff(mistakes):
    every = load_kit().tasks
    for name, start in SEEN.items():
        function = "best_move" if name.startswith("move") else "alphabeta"
        tasks = [task for task in every if task.function == function]
        traces = run_variant(mistakes[name], tasks)
        symptom = symptom_of(function, list(map(judge, tasks, traces)))
        assert seen_of(function, symptom).startswith(f"Your {function} {start}"), name


def test_a_strict_course_names_the_mistakes_of_its_own_convention():
    mistakes = load_variants(ROOT / "solution" / "mistakes", "strict")
    tie = next(v for v in mistakes if v.name == "strict_cutoff")
    assert "already" in tie.headline and "alpha > beta" not in tie.headline
    bounds = next(v for v in mistakes if v.name == "fail_hard_in_a_strict_course")
    assert "if alpha > beta:" in bounds.source and "cutoffs are lost" in bounds.headline
    everyday = {v.name for v in load_variants(ROOT / "solution" / "mistakes")}
    assert bounds.name not in everyday


def signatures(library, source):
    """Return (task, signature of the source, the reference's) for each task."""
    runs = runs_of(library, source)
    return [
        (task, signature(task, trace), signature(task, task.expected))
        for task, trace in zip(library.tasks, runs)
    ]


def test_another_right_style_has_the_reference_s_signature(quick):
    assert any(not task.search.full_window for task in quick.tasks)
    twice = REFERENCE.replace("node.evaluate()", "(node.evaluate(), node.evaluate())[0]")
    for source in (twice, correct("fail_hard")):
        assert all(own == right for _, own, right in signatures(quick, source))


def test_the_order_of_leaves_matters_in_alphabeta_only(quick):
    backwards = REFERENCE.replace("in node.children:", "in reversed(node.children):")
    trees = [tree_of("[1, [1, 1]]", name="tie"), tree_of("[[3]]", name="one")]
    library = Library(quick.variants, tasks_of(*trees), REFERENCE)
    alike = {"minimax": set(), "alphabeta": set(), "best_move": set()}
    for task, own, right in signatures(library, backwards):
        alike[task.function].add(own == right)
    assert (alike["minimax"], alike["alphabeta"]) == ({True}, {True, False})


def test_what_was_not_run_is_unknown_and_what_ran_on_is_endless(quick):
    task = next(task for task in quick.tasks if task.function == "alphabeta")

    def ended(kind):
        trace = Trace("alphabeta", task.search, [], Answer(), Ending(kind))
        return signature(task, trace)

    assert ended(NOT_RUN) is None
    assert ended(TIMED_OUT) == "endless"
    assert ended(RAISED) != ended(TIMED_OUT)


def test_what_was_known_of_the_mistakes_needs_no_run(quick):
    none_runs = [replace(variant, source="raise SystemExit") for variant in quick.variants]
    again = Library(none_runs, quick.tasks, known=quick.known)
    (diagnosis,) = diagnosed(again, changed(("alpha >= beta", "alpha > beta")))
    assert names(diagnosis)[0] == "strict_cutoff"


def test_what_a_known_mistake_prints_is_dropped(quick, mistakes, capsys):
    runs_of(quick, mistakes["prints_instead_of_returning"])
    assert capsys.readouterr().out == ""


def test_a_known_mistake_has_the_sandbox_s_budget_on_a_tree_of_2047_nodes(mistakes):
    moves = [each for each in mistakes.values() if "best_move" in each.shows]
    library = Library(moves, tasks_of(parse_tree(LARGE, "large")))
    source = changed(("max if maximizing else min", "max"), function="best_move")
    (diagnosis,) = diagnosed(library, source)
    assert diagnosis.exact and "move_always_for_max" in names(diagnosis)


def test_an_exact_match_needs_most_searches_to_have_run(quick, mistakes):
    runs = runs_of(quick, mistakes["no_cutoff"])
    nothing = Ending(NOT_RUN, reason="the time is used up")
    own = [n for n, task in enumerate(quick.tasks) if task.function == "alphabeta"]
    for number in own[4:]:
        search = quick.tasks[number].search
        runs[number] = Trace("alphabeta", search, [], Answer(), nothing)
    assert diagnosed(quick, runs) == ()


def test_what_fails_on_another_small_tree_first_is_no_exact_match(quick, mistakes):
    own = mistakes["strict_cutoff_at_min"]
    ladder = Ladder(reference())
    place, _ = first_wrong(own, ladder.tasks("alphabeta"))
    task = next(islice(ladder.tasks("alphabeta"), place - 1, None))
    smallest = judge(task, next(run_variant(own, [task])))
    runs = runs_of(quick, own)
    for tried, exact in ((place, True), (place - 1, False), (place + 1, False)):
        clues = Clues(smallest=smallest, tried=tried, small=ladder)
        assert any(d.exact for d in diagnosed(quick, runs, clues)) is exact


def test_what_is_kept_is_told_with_a_search_before_it(quick):
    task = next(task for task in quick.tasks if task.function == "alphabeta")
    source = changed(
        ("return node.evaluate()", "return 7 * node.evaluate() + len(node.name)")
    )
    (diagnosis,) = diagnosed(quick, source, Clues(kept=[Kept(task, quick.tasks[0])]))
    lead = advice_of(diagnosis).lead
    assert lead.startswith("alphabeta keeps something from one search to the next: its")
    assert "after others, such as minimax on" in lead and task.tree.title in lead


def test_a_search_that_draws_at_random_is_not_told_that_it_keeps_state(quick):
    task = next(task for task in quick.tasks if task.function == "alphabeta")
    source = changed(("in node.children", "in node.children[1:]"))
    for kept, imported in ((True, False), (False, True)):
        clues = Clues([Kept(task, None, at_random=kept)], Reading(at_random=imported))
        (diagnosis,) = diagnosed(quick, source, clues)
        advice = advice_of(diagnosis)
        assert "draws at random" in advice.lead and "left to right" in advice.check


def test_what_rests_on_another_function_is_told_to_mend_or_write_that_first(quick):
    clues = Clues(reading=Reading({"best_move": {"minimax"}, "alphabeta": {"minimax"}}))
    wrong = changed(("if maximizing", "if not maximizing"), function="minimax")
    call = ("alphabeta(child, depth - 1, alpha, beta,", "minimax(child, depth - 1,")
    for function, source, lead in (
        ("best_move", wrong, "is wrong: mend minimax first."),
        ("alphabeta", changed(call) + STUB.format("minimax"), "is not written yet."),
    ):
        told = {d.functions: advice_of(d).lead for d in diagnosed(quick, source, clues)}
        assert told[function,] == f"{function} calls minimax, which {lead}"


def test_the_first_screen_of_each_mistake_has_at_most_24_lines_of_90(
    quick, mistakes, of_mistakes
):
    ladder, rubric = Ladder(reference()), load_rubric(ROOT / "autograder" / "rubric.yaml")
    public = {task.tree.name for task in quick.tasks[::2]}
    to_come = rows_to_come(quick.tasks, rubric, public)
    one_a_file = {mistake.path: name for name, mistake in mistakes.items()}
    for name in one_a_file.values():
        mistake = mistakes[name]
        runs = runs_of(quick, mistake)
        verdicts = [judge(task, trace) for task, trace in zip(quick.tasks, runs)]
        function = of_mistakes[name][0].functions[0]
        grading = Grading(make_rows(to_come, verdicts, rubric), diagnoses=of_mistakes[name])
        place, _ = first_wrong(mistake, ladder.tasks(function))
        if place and not keeps_state(mistake):
            task = next(islice(ladder.tasks(function), place - 1, None))
            verdict = judge(task, next(run_variant(mistake, [task])))
            grading = replace(grading, counterexample=Counterexample(verdict, place))
        text = feedback_text(grading)
        lines = text.splitlines()
        assert len(lines) <= 24 and max(map(len, lines)) <= 90, text
        told = advice_of(of_mistakes[name][0]).lead
        assert told[:60] in text and text.count(told[:60]) == 1
