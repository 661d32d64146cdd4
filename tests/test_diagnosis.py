"""Known mistakes are named from traces alone, whatever the style of the code."""

import math
import re
from dataclasses import replace
from itertools import chain

import pytest
from drawn import RUBRIC
from helpers import (
    REFERENCE_SOURCE,
    ROOT,
    cases,
    changed,
    program_of,
    tables,
    task_of,
    tasks_of,
    tree_of,
)

from autograder.grading import Grading
from autograder.judging.evidence import Counterexample, StateLeak
from autograder.judging.scores import plan_rows, score_rows
from autograder.mistakes import library
from autograder.mistakes.diagnosis import Clues, diagnose
from autograder.mistakes.library import (
    Library,
    find_first_wrong,
    may_keep_state,
    run_in_order,
    run_variant,
    signature,
    tasks_concerning,
)
from autograder.mistakes.reading import FunctionText, Reading, read_program, reading_from
from autograder.mistakes.symptoms import symptom_of
from autograder.mistakes.variants import Variant, load_variant
from autograder.sandbox import Limits
from autograder.showing.messages import describe_symptom, headline, make_advice
from autograder.showing.summary import LINES, WIDTH, feedback_text
from gametree.functions import FUNCTIONS
from gametree.support import trace
from gametree.support.judging import judge

REFERENCE = REFERENCE_SOURCE.decode()
SOLUTION = ROOT / "solution"
STRICT = ("alpha >= beta", "alpha > beta")
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"


@pytest.fixture(scope="module")
def quick(kit):
    """A library of the known mistakes, on trees of the kit that reveal all of them."""
    whole = kit.library
    names = set(kit.public_names)
    expected = whole.signatures[library.REFERENCE]
    for variant in whole.variants:
        for function, own in whole.signatures[variant.name].items():
            rows = zip(whole.tasks_of(function), own, expected[function])
            wrong = [task for task, mistaken, right in rows if mistaken != right]
            wrong.sort(key=lambda task: len(task.expected.events))
            if wrong and not any(task.tree.name in names for task in wrong):
                names.add(wrong[0].tree.name)
    return on_trees(whole, names)


def on_trees(whole, names):
    """Return a library on some of its trees, without running anything."""
    signatures = {}
    for variant, of_functions in whole.signatures.items():
        signatures[variant] = {}
        for function, row in of_functions.items():
            pairs = zip(whole.tasks_of(function), row)
            chosen = [own for task, own in pairs if task.tree.name in names]
            signatures[variant][function] = chosen
    tasks = [task for task in whole.tasks if task.tree.name in names]
    return Library(whole.variants, tasks, signatures)


@pytest.fixture(scope="module")
def mistakes(quick):
    return {variant.name: variant for variant in quick.variants}


def own_variant(source):
    path = SOLUTION / "search.py"
    return Variant("own", path, "", "", (), {}, source, text=source)


def verdicts_on(chosen, variant):
    """Run a variant on the tasks of a library that it may fail, and judge it."""
    concerned = tasks_concerning(variant, chosen.tasks)
    traces = {task.key: run for task, run in run_in_order(variant, concerned)}
    return [judge(task, traces.get(task.key, task.expected)) for task in chosen.tasks]


NO_CLUES = Clues()


def diagnosed(chosen, source, clues=NO_CLUES):
    """Return the Diagnoses of a source text."""
    return diagnose(chosen, verdicts_on(chosen, own_variant(source)), clues)


def names(diagnosis):
    """Return the names of the known mistakes that a Diagnosis names."""
    return [variant.name for variant in diagnosis.variants]


def correct(name, convention="equality"):
    """Return the text of another correct submission."""
    return load_variant(SOLUTION / "correct" / f"{name}.py", convention).source


STYLES = tables("cases")["styles that are diagnosed"]


def test_a_correct_submission_has_no_diagnosis(quick):
    assert diagnosed(quick, correct("negamax")) == ()


@pytest.mark.parametrize("style", STYLES)
def test_a_mistake_is_named_in_any_style(quick, style):
    assert any(not task.search.full_window for task in quick.tasks)
    (diagnosis,) = diagnosed(quick, correct(style, "strict"))
    assert diagnosis.exact
    assert names(diagnosis)[0] == "strict_cutoff"


@pytest.mark.parametrize("changes, expected", cases("named mistakes"))
def test_mistakes_are_named_by_function(quick, changes, expected):
    diagnoses = diagnosed(quick, program_of(changes))
    assert all(diagnosis.exact for diagnosis in diagnoses)
    named = [(" and ".join(d.functions), names(d)[0]) for d in diagnoses]
    assert named == list(expected.items())


def test_the_same_mistake_in_two_functions_is_reported_once(quick):
    source = re.sub(r"-?math\.inf", "0", REFERENCE)
    (diagnosis,) = diagnosed(quick, source)
    assert names(diagnosis) == ["best_starts_at_zero"]
    assert make_advice(diagnosis).lead.startswith("minimax and alphabeta: You start")


def test_of_two_mistakes_the_clearer_is_named_as_the_closest(kit):
    source = changed(STRICT, ("-math.inf", "0"))
    (diagnosis,) = diagnosed(on_trees(kit.library, kit.public_names), source)
    assert not diagnosis.exact
    assert not make_advice(diagnosis).sure
    assert names(diagnosis) == ["strict_cutoff"]
    assert headline(diagnosis).startswith("Closest to: ")


@pytest.mark.parametrize("old, new", cases("changes that are not known mistakes"))
def test_noise_and_an_error_are_not_taken_for_a_mistake(quick, old, new):
    assert diagnosed(quick, changed((old, new))) == ()


DESCRIPTIONS = tables("cases")["symptoms of known mistakes"]


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_symptom_names_the_player_and_the_kind_of_cutoff(kit, mistakes, name):
    function = "best_move" if name.startswith("move") else "alphabeta"
    of_all_trees = kit.library.tasks_of(function)
    tasks = [task for task in of_all_trees if task.expected.node_count < 100]
    verdicts = list(map(judge, tasks, run_variant(mistakes[name], tasks)))
    sentence = describe_symptom(function, symptom_of(function, verdicts))
    assert sentence.startswith(f"Your {function} {DESCRIPTIONS[name]}")


# ---- the text of the program

ARGUMENTS = {name: function.arguments for name, function in FUNCTIONS.items()}


def clues_of(source, fixed=()):
    """Return the Clues of a text with the statements of a proven change of alphabeta."""
    data = read_program(source.encode(), ARGUMENTS)
    return Clues(reading=reading_from(data), fixed={"alphabeta": fixed})


def text_of(file, old="", new=""):
    """Return the text of a file of solution/ with a replacement."""
    return load_variant(SOLUTION / f"{file}.py").source.replace(old, new)


@pytest.mark.parametrize("program, text, fixed, alike, expected", cases("texts and fixes"))
def test_the_text_and_the_fix_decide_among_mistakes(
    quick, program, text, fixed, alike, expected
):
    source = text_of(*program)
    (diagnosis,) = diagnosed(quick, source)
    assert names(diagnosis)[0] == alike
    clues = clues_of(text_of(*text) if text else source, fixed)
    found = diagnosed(quick, source, clues)
    assert [name for diagnosis in found for name in names(diagnosis)] == expected


def test_a_bound_that_is_updated_under_another_name_is_not_called_never_updated(
    quick, mistakes
):
    never = mistakes["beta_never_lowered"].source
    found = diagnosed(quick, never, clues_of(tables("cases")["other names of bounds"]))
    named = [name for diagnosis in found for name in names(diagnosis)]
    assert "beta_never_lowered" not in named


@pytest.mark.parametrize("style", ["negamax", "max_and_min_functions", "closures"])
def test_a_correct_text_denies_no_mistake_of_its_own_style(quick, style):
    source = correct(style).replace(">=", ">")
    assert diagnosed(quick, source, clues_of(source))


# ---- signatures


def ended(task, kind):
    """Return the signature of a search that visited all leaves and ended like this."""
    return signature(task, replace(task.expected, ending=trace.Ending(kind)))


@pytest.mark.parametrize("function", ["minimax", "alphabeta", "best_move"])
def test_a_search_that_was_not_run_is_unknown_and_a_timeout_is_endless(quick, function):
    task = quick.tasks_of(function)[0]
    assert ended(task, trace.NOT_RUN) is None
    assert ended(task, trace.TIMED_OUT) == ended(task, trace.OUT_OF_QUERIES) == "endless"
    others = (None, "endless", signature(task, task.expected))
    assert ended(task, trace.RAISED) not in others


def answered(task, number):
    """Return the signature of a search with such an answer."""
    answer = trace.Answer("number", number)
    return signature(task, replace(task.expected, answer=answer))


def answered_in_window(number):
    """Return the signature of an answer to a search in the window (0, 9)."""
    task = task_of([7], "alphabeta", searches="[{alpha: 0, beta: 9}]")
    return answered(task, number)


def test_answers_outside_the_window_count_as_its_bounds():
    assert answered_in_window(10) == answered_in_window(math.inf)
    assert answered_in_window(-1) == answered_in_window(-0.0) == answered_in_window(0)
    assert answered_in_window(1) != answered_in_window(0)


def test_a_large_infinity_is_like_any_other():
    task = task_of([7], "alphabeta")
    assert answered(task, 10**9) == answered(task, math.inf)
    assert answered(task, -(10**9)) == answered(task, -math.inf)


def visits(task, *leaves):
    events = [(trace.EVALUATE, (leaf,)) for leaf in leaves]
    return signature(task, replace(task.expected, events=events))


def test_the_order_of_leaves_counts_where_there_is_a_window():
    tree = tree_of([7, 7, 7])
    minimax, alphabeta = tasks_of(tree, functions=("minimax", "alphabeta"))
    assert visits(minimax, 0, 1) == visits(minimax, 1, 0) != visits(minimax, 0, 2)
    assert visits(alphabeta, 0, 1) != visits(alphabeta, 1, 0)


def test_of_many_leaves_the_first_300_are_compared():
    task = task_of([7] * 303, "alphabeta")
    first = range(300)
    assert visits(task, *first[:299]) != visits(task, *first)
    assert visits(task, *first) != visits(task, *first, 300)
    assert visits(task, *first, 300) == visits(task, *first, 301, 302)
    assert visits(task, *first, 300) != visits(task, *first[1:], 301, 302)


def test_a_move_counts_by_the_child_and_by_evaluating_leaves_alone():
    task = task_of([7, [8]], "best_move")
    own = signature(task, task.expected)
    other = trace.Answer("node", path=(0,))
    assert visits(task, 0) == own != visits(task, 1)
    assert signature(task, replace(task.expected, answer=other)) != own


# ---- running the known mistakes


def test_a_mistake_is_run_on_its_functions_or_if_it_keeps_state_on_all(quick, mistakes):
    of_alphabeta = [task for task in quick.tasks if task.function == "alphabeta"]
    assert tasks_concerning(mistakes["no_cutoff"], quick.tasks) == of_alphabeta
    keeps_state = mistakes["table_by_name"]
    assert tasks_concerning(keeps_state, quick.tasks) == list(quick.tasks)


def test_what_a_known_mistake_prints_is_dropped(quick, mistakes, capsys):
    verdicts_on(quick, mistakes["prints_instead_of_returning"])
    assert capsys.readouterr().out == ""


ENDLESS = "def minimax(node, *arguments):\n    while True:\n        node.evaluate()\n"


def test_a_known_mistake_stops_at_the_sandbox_budget_of_queries():
    task = task_of([1, 2], "minimax")
    (run,) = run_variant(own_variant(ENDLESS), [task])
    assert run.ending.kind == trace.OUT_OF_QUERIES
    assert len(run.events) == Limits().query_budget(task) + 1


# ---- clues beside the runs


def count_exact(chosen, verdicts, clues=NO_CLUES):
    """Return how many exact Diagnoses there are."""
    return sum(diagnosis.exact for diagnosis in diagnose(chosen, verdicts, clues))


def test_an_exact_match_needs_most_searches_to_have_run(quick, mistakes):
    verdicts = verdicts_on(quick, mistakes["no_cutoff"])
    own = [verdict for verdict in verdicts if verdict.task.function == "alphabeta"]
    half = len(own) // 2
    assert count_exact(quick, own[: half + 1]) == 1
    assert count_exact(quick, own[:half]) == 0


def test_an_exact_match_fails_on_the_same_small_tree_first_in_the_same_way(
    quick, mistakes, ladder
):
    mistake = mistakes["strict_cutoff_at_min"]
    verdicts = verdicts_on(quick, mistake)
    place, wrong = find_first_wrong(mistake, ladder.tasks("alphabeta"))
    other = wrong._replace(trace=task_of([1, 2], "alphabeta").expected)

    def count_exact_with(verdict, place, late=False):
        smallest = Counterexample(verdict, place, late)
        return count_exact(quick, verdicts, Clues(smallest=smallest, small=ladder))

    assert count_exact_with(wrong, place) == 1
    assert count_exact_with(wrong, place - 1) == 0
    assert count_exact_with(wrong, place + 1) == 0
    assert count_exact_with(other, place) == 0
    assert count_exact_with(other, place, late=True) == 1


@pytest.mark.parametrize("is_seen, is_read", [(True, False), (False, True)])
def test_drawing_at_random_is_not_state(quick, is_seen, is_read):
    leak = StateLeak(quick.tasks_of("alphabeta")[0], None, at_random=is_seen)
    clues = Clues([leak], Reading(at_random=is_read))
    source = changed(("in node.children", "in node.children[1:]"))
    (diagnosis,) = diagnosed(quick, source, clues)
    advice = make_advice(diagnosis)
    assert "is nondeterministic" in advice.lead
    assert "left to right" in advice.check


CALLS = FunctionText(calls={"minimax"})
CALLS_MINIMAX = Clues(reading=Reading({"best_move": CALLS, "alphabeta": CALLS}))


def leads_of(diagnoses):
    """Return functions -> their sentence."""
    return {d.functions: make_advice(d).lead for d in diagnoses}


def test_the_caller_of_a_stub_is_told_its_name(quick):
    call = ("alphabeta(child, depth - 1, alpha, beta,", "minimax(child, depth - 1,")
    source = changed(call) + STUB.format("minimax")
    lead = leads_of(diagnosed(quick, source, CALLS_MINIMAX))["alphabeta",]
    assert lead == "alphabeta calls minimax, which is not written yet."


def test_extra_visits_do_not_mislead_a_caller(quick):
    again = "return (node.evaluate(), node.children, node.evaluate())[0]"
    source = changed(("return node.evaluate()", again), function="minimax")
    backwards = ("node.children, key", "node.children[::-1], key")
    source = changed(backwards, function="best_move", source=source)
    last = diagnosed(quick, source, CALLS_MINIMAX)[-1]
    assert last.functions == ("best_move",)
    assert last.others == ()


def test_best_move_has_no_diagnosis_while_its_calls_are_unknown(quick):
    wrong = changed(("if maximizing", "if not maximizing"), function="minimax")
    assert ("best_move",) not in leads_of(diagnosed(quick, wrong))


# ---- all known mistakes


def one_in_three_files(variants):
    """Return the first known mistake of every third file."""
    first_of_file = {}
    for variant in variants:
        first_of_file.setdefault(variant.path, variant)
    return [*first_of_file.values()][::3]


def test_each_mistake_is_named_once_on_the_first_screen(kit, quick, ladder):
    """State that is kept depends on all searches, so such a mistake is run on all."""
    for mistake in one_in_three_files(quick.variants):
        chosen = kit.library if may_keep_state(mistake) else quick
        verdicts = verdicts_on(chosen, mistake)
        diagnoses = diagnose(chosen, verdicts)
        exact = [diagnosis for diagnosis in diagnoses if diagnosis.exact]
        variants = chain.from_iterable(diagnosis.variants for diagnosis in exact)
        assert mistake.path in [variant.path for variant in variants], mistake.name
        advice = make_advice(diagnoses[0])
        assert advice.causes or advice.check.endswith("."), mistake.name
        words = " ".join([advice.lead, *advice.causes, advice.check])
        assert not re.search(r"\b(stupid|cheat|forgot)", words.lower()), mistake.name
        screen = screen_of(mistake, verdicts, diagnoses, ladder)
        lines = screen.splitlines()
        assert len(lines) <= LINES, mistake.name
        assert max(map(len, lines)) <= WIDTH, mistake.name
        assert screen.count(advice.lead[:60]) == 1, mistake.name


def screen_of(mistake, verdicts, diagnoses, ladder):
    """Return the first screen of a known mistake; half of its trees are public."""
    tasks = [verdict.task for verdict in verdicts]
    public = {task.tree.name for task in tasks[::2]}
    rows = score_rows(plan_rows(tasks, RUBRIC, public), verdicts, RUBRIC)
    grading = Grading(rows, diagnoses=diagnoses)
    function = diagnoses[0].functions[0]
    place, wrong = find_first_wrong(mistake, ladder.tasks(function)[:300])
    if wrong and not may_keep_state(mistake):
        grading = replace(grading, counterexample=Counterexample(wrong, place))
    return feedback_text(grading)
