"""A diagnosis names known mistakes by their traces, in any style of code."""

import math
from itertools import islice

import pytest
from drawn import failing_on, verdict_of
from helpers import (
    CORRECT,
    ROOT,
    cases,
    changed,
    copy_with,
    program_of,
    tables_beside,
    task_of,
    tree_of,
    variant,
    variants_in,
)

from autograder.explaining.explain import reading_from
from autograder.explaining.explanation import (
    BEHAVES_LIKE,
    IS,
    Diagnosis,
    Explanation,
    FunctionText,
    Localisation,
    Patch,
    Place,
    Reading,
)
from autograder.explaining.known import MIN_RUN, choose, diagnose
from autograder.explaining.library import (
    Behavior,
    Library,
    failures,
    run_in_order,
    run_program,
    signature,
    tasks_concerning,
)
from autograder.explaining.line import localise, tasks_to_pass
from autograder.explaining.reading import TESTS_WINDOW, read_program
from autograder.explaining.symptoms import (
    AGAIN,
    OFTEN_WRONG_ANSWER,
    blamed_callees,
    symptom_of,
)
from autograder.explaining.variants import Variant
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import not_begun
from autograder.showing.messages import describe_symptom, make_advice
from bench.proofs import Program, TrustedWorkshop, first_wrong
from gametree.functions import FUNCTIONS
from gametree.support import trace
from gametree.support.judging import judge
from gametree.support.trace import Answer, Ending

SOLUTION = ROOT / "solution"
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"


@pytest.fixture(scope="module")
def quick(kit):
    """Return the kit's library on the public trees."""
    whole = kit.library
    number = len(kit.public_tasks)  # they come first
    behaviors = {}
    for mistake, (signatures, held) in whole.behaviors.items():
        behaviors[mistake] = Behavior(signatures[:number], held[:number])
    return Library(whole.variants, kit.public_tasks, behaviors)


@pytest.fixture(scope="module")
def mistakes(quick):
    """Return name -> known mistake."""
    return {mistake.name: mistake for mistake in quick.variants}


def variant_of(source):
    """Return the Variant of a source text."""
    path = SOLUTION / "search.py"
    return Variant("own", path, "", "", {}, source)


def verdicts_on(chosen, program):
    """Run a program on the tasks of a library that it may fail, and judge it."""
    concerned = tasks_concerning(program, chosen.tasks)
    traces = dict(run_in_order(program.source, concerned))
    return [judge(task, traces.get(task, task.expected)) for task in chosen.tasks]


NOTHING_FOUND = Explanation()
ARGUMENTS = {name: function.arguments for name, function in FUNCTIONS.items()}


def reading_of(source):
    """Return an Explanation with what a text shows."""
    return Explanation(reading=reading_from(read_program(source.encode(), ARGUMENTS)))


def diagnose_text(chosen, source, found=NOTHING_FOUND):
    """Return the Diagnoses of a source text."""
    return diagnose(chosen, None, verdicts_on(chosen, variant_of(source)), found)


def named(diagnoses):
    """Return function -> the name of its known mistake."""
    named = {name: found.mistake for name, found in diagnoses.items()}
    return {name: mistake.name for name, mistake in named.items() if mistake}


def test_a_correct_submission_has_no_diagnosis(quick):
    assert diagnose_text(quick, variant("correct/negamax").source) == {}


@cases("styles that are diagnosed")
def test_a_mistake_is_named_in_any_style(style, quick):
    assert any(not task.search.full_window for task in quick.tasks)
    diagnoses = diagnose_text(quick, variant(f"correct/{style}", "strict").source)
    assert named(diagnoses) == {"alphabeta": "strict_cutoff"}


@cases("named mistakes")
def test_mistakes_are_named_by_function(changes, expected, quick):
    assert named(diagnose_text(quick, program_of(changes))) == expected


@cases("changes that are not known mistakes")
def test_changes_that_are_not_known_mistakes_have_no_diagnosis(old, new, quick):
    assert diagnose_text(quick, changed((old, new))) == {}


@cases("symptoms of known mistakes")
def test_a_symptom_names_the_player_and_the_kind_of_cutoff(name, said, kit, mistakes):
    function = "best_move" if name.startswith("move") else "alphabeta"
    public = [task for task in kit.public_tasks if task.function == function]
    tasks = [*public, *islice(kit.ladder.tasks(function), 1000)]
    verdicts = list(map(judge, tasks, run_program(mistakes[name].source, tasks)))
    sentence = describe_symptom(function, symptom_of(verdicts))
    assert sentence.startswith(f"Your {function} {said}")


def minimax_with(statement):
    """Return the verdict on a minimax with this statement at MAX nodes."""
    source = changed(
        ("best = max(best, minimax(child, depth - 1, False))", statement),
        function="minimax",
    )
    return verdict_of(source, tree_of("[1, [2, 3]]"), function="minimax")


def test_a_symptom_is_about_the_wrong_aspects_of_a_tree_that_is_drawn_late():
    wrong_value = minimax_with("best = min(best, minimax(child, depth - 1, False))")
    twice = minimax_with("best = max(minimax(child, depth - 1, False) for _ in (1, 2))")
    verdicts = [wrong_value, twice, twice]
    late = failing_on(wrong_value, 1)._replace(verdict=None)
    assert symptom_of(verdicts) == AGAIN
    assert symptom_of(verdicts, late) == OFTEN_WRONG_ANSWER


# ---- the voice

CHANGED_LINES = tables_beside(__file__)["lines of statements"]
CHECKED = {}  # the known mistakes that may be claimed: the first of each file
for mistake in variants_in("mistakes"):
    if mistake.fixes:
        CHECKED.setdefault(mistake.path.stem, mistake)


def proven(kind, statement):
    """Return the Localisation of a proven change of this kind at a statement."""
    patch = Patch(b"", (Place(7),), kind, "")
    return Localisation((Place(7),), (patch,), text={7: statement})


def lead_of(mistake, line):
    """Return what is said of a function that behaves like a mistake, or ""."""
    chosen, kind = choose([mistake], line, FunctionText())
    if chosen is None:
        return ""
    return make_advice(Diagnosis("alphabeta", kind, chosen)).lead


@pytest.mark.parametrize("mistake", CHECKED.values(), ids=CHECKED)
def test_a_mistake_is_claimed_only_where_the_proven_line_shows_it(mistake):
    for change in mistake.fixes:
        kind, _, word = change.partition(" in ")
        lead = lead_of(mistake, proven(kind, CHANGED_LINES[word]))
        assert lead == f"Your alphabeta {mistake.headline}"
    like = f"It looks as if your alphabeta {mistake.headline}"
    assert lead_of(mistake, None) == like
    assert lead_of(mistake, proven("another kind", "best = 0")) == ""


@cases("the same behavior in other words")
def test_a_mistake_that_the_text_does_not_contain_is_not_claimed(name, changes, kit):
    source = program_of(changes)
    (function,) = changes
    small = list(kit.ladder.tasks(function))
    others = [other for other in FUNCTIONS if other != function]
    workshop = TrustedWorkshop(source, function, others)
    first = first_wrong(Program(source), small)
    line = localise(workshop, tasks_to_pass(kit.ladder, small[first - 1], first), [])
    alike = mistakes_like(kit.library, source, function)
    assert name in {mistake.path.stem for mistake in alike}
    chosen, voice = choose(alike, line, FunctionText())
    assert (chosen and chosen.path.stem, voice) != (name, IS)


def mistakes_like(library, source, function):
    """Return the known mistakes that behave exactly like a program on all tasks."""
    tasks = [task for task in library.tasks if task.function == function]
    traces = run_in_order(source, tasks)
    return library.variants_alike({task: signature(task, run) for task, run in traces})


def named_among_equals(mistakes, names, line, *statements):
    """Return the mistake of these that is named, and the kind of its diagnosis."""
    equal = [mistakes[name] for name in names]
    mistake, kind = choose(equal, line, FunctionText(statements=statements))
    return mistake and mistake.name, kind


@cases("one player")
def test_a_mistake_of_one_player_is_named_if_a_proven_change_fixes_it(
    function, old, new, change, lead, quick
):
    verdicts = verdicts_on(quick, variant_of(changed((old, new), function=function)))
    found = Explanation(lines={function: proven(*change)})
    diagnosis = diagnose(quick, None, verdicts, found)[function]
    assert make_advice(diagnosis).lead == f"Your {function} for {lead}"
    assert diagnose(quick, None, verdicts, NOTHING_FOUND).get(function) != diagnosis


EQUAL = ["no_cutoff", "continue_instead_of_break"]


def test_among_equal_mistakes_the_confirmed_one_is_named(mistakes):
    line = proven("jump", "    continue")
    assert named_among_equals(mistakes, EQUAL, line) == (EQUAL[1], IS)
    assert named_among_equals(mistakes, EQUAL, None) == (EQUAL[0], BEHAVES_LIKE)


@cases("statements of texts")
def test_the_statements_of_a_text_are_found_in_any_spelling(text, statements):
    head = "def alphabeta(node, d, a, b, is_max):\n"
    body = "".join(f"    {line}\n" for line in text.splitlines())
    own = reading_of(head + body).reading.text_of("alphabeta")
    assert sorted(own.statements) == sorted(statements)


@pytest.mark.parametrize("names, named", [(EQUAL, EQUAL[1]), (EQUAL[:1], None)])
def test_no_mistake_is_named_that_denies_a_statement_of_the_text(mistakes, names, named):
    found = named_among_equals(mistakes, names, None, TESTS_WINDOW)
    assert found == (named, BEHAVES_LIKE)


def test_a_mistake_of_another_function_is_not_named(quick):
    verdicts = verdicts_on(quick, variant_of(CORRECT))
    place = next(n for n, task in enumerate(quick.tasks) if task.function == "best_move")
    task, trace, *_ = verdicts[place]
    verdicts[place] = judge(task, copy_with(trace, events=[]))  # it was guessed
    assert not verdicts[place].is_right
    assert diagnose(quick, None, verdicts, NOTHING_FOUND) == {}


# ---- signatures


def signature_of(task, change):
    """Return the signature of a search that differs so from the correct one."""
    fields = {}
    if "returns" in change:
        fields["answer"] = trace.Answer("number", change["returns"])
    if "chooses" in change:
        fields["answer"] = trace.Answer("node", path=(change["chooses"],))
    if "visits" in change:
        fields["events"] = [(trace.EVALUATE, (leaf,)) for leaf in change["visits"]]
    if "ends" in change:
        fields["ending"] = trace.Ending(change["ends"])
    return signature(task, copy_with(task.expected, **fields))


@cases("signatures")
def test_signatures_are_equal_or_different(function, tree, searches, changes, is_equal):
    task = task_of(tree, function, searches=searches)
    first, *others = [signature_of(task, change) for change in changes]
    assert {other == first for other in others} == {is_equal}


# ---- running the known mistakes


def test_a_mistake_is_run_on_its_functions_and_one_that_keeps_state_on_all(quick, mistakes):
    of_alphabeta = [task for task in quick.tasks if task.function == "alphabeta"]
    assert tasks_concerning(mistakes["no_cutoff"], quick.tasks) == of_alphabeta
    keeps_state = mistakes["table_by_name"]
    assert tasks_concerning(keeps_state, quick.tasks) == list(quick.tasks)


def test_the_output_of_a_known_mistake_is_discarded(quick, mistakes, capsys):
    verdicts_on(quick, mistakes["prints_instead_of_returning"])
    assert capsys.readouterr().out == ""


ENDLESS = "def minimax(node, *arguments):\n    while True:\n        node.evaluate()\n"


def test_a_known_mistake_stops_at_the_query_budget_of_the_sandbox():
    task = task_of([1, 2], "minimax")
    (run,) = run_program(ENDLESS, [task])
    assert run.ending.kind == trace.OUT_OF_QUERIES
    assert len(run.events) == Limits().query_budget(task) + 1


# ---- what else is known


def count_known(chosen, verdicts, found=NOTHING_FOUND, ladder=None):
    """Return how many Diagnoses name known mistakes."""
    diagnoses = diagnose(chosen, ladder, verdicts, found)
    return len([diagnosis for diagnosis in diagnoses.values() if diagnosis.mistake])


def test_a_known_mistake_is_named_if_enough_searches_were_run(quick, mistakes):
    verdicts = verdicts_on(quick, mistakes["no_cutoff"])
    concerned = [verdict for verdict in verdicts if verdict.task.function == "alphabeta"]
    not_run = [judge(v.task, not_begun(v.task, Ending(trace.NOT_RUN))) for v in concerned]
    enough = math.ceil(MIN_RUN * len(concerned))
    assert count_known(quick, concerned[:enough] + not_run[enough:]) == 1
    assert count_known(quick, concerned[: enough - 1] + not_run[enough - 1 :]) == 0


def test_a_known_mistake_fails_in_the_same_way_on_the_same_smallest_tree(
    quick, mistakes, ladder
):
    mistake = mistakes["strict_cutoff_at_min"]
    verdicts = verdicts_on(quick, mistake)
    tasks = list(ladder.tasks("alphabeta"))
    wrong = next(failures(mistake.source, tasks))
    place = tasks.index(wrong.task) + 1
    other = wrong._replace(trace=task_of([1, 2], "alphabeta").expected)

    def count_known_with(verdict, place, late=False):
        smallest = failing_on(verdict, place)
        if late:
            smallest = smallest._replace(verdict=None)
        found = Explanation(smallest=smallest)
        return count_known(quick, verdicts, found, ladder)

    assert count_known_with(wrong, place) == 1
    assert count_known_with(wrong, place - 1) == 0
    assert count_known_with(other, place) == 0
    assert count_known_with(other, place, late=True) == 1


def test_parameters_in_another_order_come_before_all_else(quick):
    source = changed(("depth, alpha, beta, maximizing", "depth, beta, alpha, maximizing"))
    diagnoses = diagnose_text(quick, source, reading_of(source))
    assert make_advice(diagnoses["alphabeta"]).lead == (
        "Your alphabeta takes (node, depth, beta, alpha, maximizing), "
        "but is called with (node, depth, alpha, beta, maximizing)."
    )


CALLS = FunctionText(calls={"minimax"})
CALLS_MINIMAX = Explanation(reading=Reading({"best_move": CALLS, "alphabeta": CALLS}))


def test_the_advice_on_a_caller_names_the_stub_that_it_calls(quick):
    call = ("alphabeta(child, depth - 1, alpha, beta,", "minimax(child, depth - 1,")
    source = changed(call) + STUB.format("minimax")
    diagnosis = diagnose_text(quick, source, CALLS_MINIMAX)["alphabeta"]
    assert (
        make_advice(diagnosis).lead == "alphabeta calls minimax, which is not written yet."
    )


def test_a_called_function_that_is_wrong_only_in_a_given_window_is_not_blamed(quick):
    verdicts = []
    for verdict in verdicts_on(quick, variant_of(CORRECT)):
        task, trace, *_ = verdict
        wrong = copy_with(trace, answer=Answer("number", 10**6))
        is_wrong = not task.search.full_window
        verdicts.append(judge(task, wrong) if is_wrong else verdict)
    assert not all(verdict.is_right for verdict in verdicts)
    assert blamed_callees("best_move", ["alphabeta"], verdicts) == ()


def test_extra_visits_of_a_called_function_do_not_change_the_diagnosis(quick):
    again = "return (node.evaluate(), node.children, node.evaluate())[0]"
    source = changed(("return node.evaluate()", again), function="minimax")
    backwards = ("node.children, key", "node.children[::-1], key")
    source = changed(backwards, function="best_move", source=source)
    diagnosis = diagnose_text(quick, source, CALLS_MINIMAX)["best_move"]
    assert diagnosis.names == ()
