"""The line of a mistake: what is found, what is said of it, and when nothing is."""

import json
import marshal
from dataclasses import replace

import pytest
from drawn import NO_CUTOFF, RUBRIC, grading_of, textbook, verdict_of
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of

from autograder import localisation
from autograder.counterexample import Counterexample
from autograder.grading import Grading, grade
from autograder.grading.hints import reading_of
from autograder.judging.rubric import CHANGE, LINE, NONE
from autograder.kit import Kit
from autograder.localisation import Localisation, Patch, Place, localise
from autograder.mistakes.library import Library
from autograder.mistakes.reading import Reading
from autograder.mistakes.variants import load_variant
from autograder.sandbox import Sandbox, Session
from autograder.showing.pointer import find_pointer, point_at
from autograder.showing.report import report_html
from autograder.showing.summary import LINES, WIDTH, lay_out_summary, summarize
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import tasks_for
from bench.proofs import TrustedWorkshop, first_wrong
from gametree.support.trace import OUT_OF_QUERIES, TIMED_OUT, Answer, Ending, Trace

RIGHT = REFERENCE_SOURCE.decode()
AT_MAX = "            if alpha >= beta:  # cutoff\n                break\n    else:"
STRICT_AT_MAX = changed((AT_MAX, AT_MAX.replace(">=", ">")))
BOUNDS_OVERWRITTEN = changed(
    ("alpha = max(alpha, best)", "alpha = best"), ("beta = min(beta, best)", "beta = best")
)
NOT_RAISED = changed(("            alpha = max(alpha, best)\n", ""))
LINE_OF_STRICT = 1 + RIGHT[: RIGHT.index(AT_MAX)].count("\n")
TREES = textbook(), tree_of([1, [1, 1]], "min", name="tie")
PUBLIC = tasks_of(*TREES)


@pytest.fixture(scope="module")
def ladder():
    return Ladder(reference())


def found_in(source, ladder, function="alphabeta"):
    small, workshop = list(ladder.tasks(function)), TrustedWorkshop(source, function)
    public = [task for task in PUBLIC if task.function == function]
    return localise(workshop, small, public, first_wrong(source, small))


def numbers(found):
    return [place.line for place in found.places]


def test_the_line_of_a_slip_is_found_and_what_is_missing_is_missing_after_one(ladder):
    found = found_in(STRICT_AT_MAX, ladder)
    place = Place(LINE_OF_STRICT, column=AT_MAX.index("alpha"))
    assert (found.function, found.places) == ("alphabeta", (place,))
    assert found.proofs[0].what == "alpha > beta becomes alpha >= beta"
    assert found_in(NOT_RAISED, ladder).places == (Place(LINE_OF_STRICT - 2, True),)


def test_the_same_change_in_two_places_tells_both_lines(ladder):
    found = found_in(BOUNDS_OVERWRITTEN, ladder)
    assert found.together
    assert numbers(found) == [LINE_OF_STRICT - 1, LINE_OF_STRICT + 6]


class Scripted:
    """A workshop whose patches are right or wrong as their `what` says."""

    def __init__(self, *variants, own=None):
        self.made = [
            Patch(number, b"", (Place(line),), 1, number, what)
            for number, (line, what) in enumerate(variants)
        ]
        self.own = own or (lambda task: wrong_trace(task))
        self.runs = 0

    def patches(self, pairs=()):
        return [] if pairs else self.made

    def run(self, patch, tasks):
        for task in tasks:
            self.runs += 1
            right = patch is not None and patch.what == "right"
            yield task.expected if right else self.own(task)


def wrong_trace(task, ending=None):
    return Trace(task.function, task.search, [], Answer("str"), ending or Ending())


def told_by(workshop):
    trees = [tree_of([n, 1]) for n in range(30)]
    return localise(workshop, tasks_of(*trees, functions=("minimax",)), [], 1)


def test_three_lines_are_told_and_four_are_not_and_the_cheapest_alone():
    three = [(line, "right") for line in (4, 6, 9)]
    assert numbers(told_by(Scripted(*three))) == [4, 6, 9]
    assert told_by(Scripted(*three, (11, "right"))) is None
    assert told_by(Scripted((5, "wrong"))) is None
    workshop = Scripted((5, "right"), (8, "right"))
    workshop.made[1] = replace(workshop.made[1], cost=2)
    assert numbers(told_by(workshop)) == [5]


def test_what_never_ends_is_tried_so_often_and_what_was_found_before_counts():
    wrong = [(line, "wrong") for line in range(6, 900)]
    for kind, most in (
        (OUT_OF_QUERIES, localisation.MAX_DEATHS),
        (TIMED_OUT, localisation.MAX_TIMEOUTS),
    ):
        endless = Scripted(*wrong, own=lambda task, k=kind: wrong_trace(task, Ending(k)))
        assert told_by(endless) is None
        assert endless.runs <= 2 * most + 10
        endless.made.insert(0, Patch(0, b"", (Place(5),), 1, 0, "right"))
        assert numbers(told_by(endless)) == [5]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(RUBRIC.limits) as sandbox:
        yield sandbox


def kit_of(hints):
    """A kit of three small trees where a wrong submission is told so much."""
    hidden = (tree_of("[[3, 5], [7, 2]]", "min", name="small"),)
    tasks = *PUBLIC, *tasks_for(hidden, reference(), hidden=True)
    kit = Kit(ROOT, replace(RUBRIC, hints=hints), TREES, hidden, tasks)
    known = load_variant(ROOT / "solution" / "mistakes" / "strict_cutoff_at_max.py")
    vars(kit).update(library=Library([known], tasks))
    return kit


def test_a_line_is_told_where_a_tree_that_is_run_shows_it_and_it_is_wanted(sandbox):
    wide = changed(("in node.children", "in node.children[:6]"))  # right on what is run
    raises = changed((AT_MAX, AT_MAX.replace("break", "brake")))  # so no change is sought
    for source, hints, lines in (
        (STRICT_AT_MAX, LINE, [LINE_OF_STRICT]),
        (raises, LINE, [LINE_OF_STRICT + 1]),
        (RIGHT, LINE, []),
        (STRICT_AT_MAX, "mistake", []),
        (STRICT_AT_MAX, NONE, []),
        (wide, LINE, []),
    ):
        graded = grade(kit_of(hints), source.encode(), sandbox)
        found = graded.localisation
        assert (numbers(found) if found else []) == lines
        assert [found.text[n] for n in lines] == [source.splitlines()[n - 1] for n in lines]
        said = "exception" if source == raises else "small change"
        assert not found or said in find_pointer(graded).sentence
        if source == STRICT_AT_MAX:
            assert bool(graded.diagnoses) == (hints != NONE) and graded.counterexample


def test_of_a_text_that_cannot_be_read_nothing_is_told(sandbox):
    deep = b'"\\' * 49_000, b"(" * 99_000, b"-" * 999_000 + b"1"
    for source in (*deep, b"x = " + b"-" * 40_000 + b"1\n", b"(" * 300, b"\0", b"def f("):
        session = Session(sandbox, source)
        workshop = localisation.Workshop(session, "alphabeta", [], False)
        assert workshop.patches() == [], source[:20]
        found = reading_of(session)
        assert found == Reading(error_line=found.error_line), source[:20]
    assert found.error_line == 1


def test_a_change_that_never_ends_while_it_loads_is_soon_given_up(sandbox):
    session = Session(sandbox, b"")
    endless, fine = (
        Patch(0, marshal.dumps(compile(text, "search.py", "exec")), (), 1, 0, "")
        for text in ("while True: pass", RIGHT)
    )
    workshop = localisation.Workshop(session, "minimax", [], False)
    task = PUBLIC[0]
    with session.limited(20, search_cpu_seconds=0.1, load_cpu_seconds=0.05):
        (stopped,) = workshop.run(endless, [task])
        (right,) = workshop.run(fine, [task])
    assert (stopped.ending.kind, right.answer) == (TIMED_OUT, task.expected.answer)


def test_what_a_worker_hands_on_is_data_that_may_be_broken():
    whole = {"number": 0, "code": "YQ==", "places": [[1, 0, 0]], "cost": 1, "key": 1}
    whole["what"] = ""
    assert len(patches_of(whole)) == 1
    for name, broken in [("code", ""), ("code", 7), ("code", "a"), ("places", []),
                         ("places", [[1]]), ("places", 3), ("cost", "x"), ("key", None),
                         ("number", 1e999)]:  # fmt: skip
        assert patches_of({**whole, name: broken}) == [], (name, broken)
    for data in (b"", b"\xff", b"{}", b"[{}]", b"[12]", b"[" * 9999):
        assert localisation.patches_from(data) == []


def patches_of(*rows):
    return localisation.patches_from(json.dumps(rows).encode())


def found_at(*places, together=False):
    text = {n: f"{' ' * 4 * (n % 3)}line {n}" for n in range(30, 45)}
    text[35] = "        print('\x1b[31m')"
    proof = Patch(1, b"", (), 1, 1, "alpha > beta becomes alpha >= beta")
    return Localisation("alphabeta", places, (proof,), together, text)


ONE, OTHER = Place(33), Place(40)
BOTH = found_at(ONE, OTHER, together=True)
AFTER = Place(33, True), Place(40, True)
SAID = {
    "Look at line 36: one small change there makes": found_at(Place(36)),
    "Look at lines 33 and 40: one small change at one of them makes": found_at(OTHER, ONE),
    "Look at lines 33 and 40: a small change at each of them makes": BOTH,
    "Something is missing after line 33: one": found_at(Place(33, True)),
    "Look at what follows lines 33 and 40: one small addition": found_at(*AFTER),
    "Something is missing after lines 33 and 40: a small": found_at(*AFTER, together=True),
}


def test_it_is_said_in_one_sentence_and_stands_marked_between_those_around():
    for said, found in SAID.items():
        sentence = find_pointer(Grading((), localisation=found)).sentence
        assert sentence.startswith(said)
        assert sentence.endswith("makes every small tree right.")
        told = find_pointer(Grading((), localisation=found, hints=CHANGE)).sentence
        assert told == f"{sentence} The change: alpha > beta becomes alpha >= beta."
    lines = find_pointer(Grading((), localisation=found_at(Place(36)))).near(1)
    assert [(n, marked) for n, _, marked in lines] == [(35, False), (36, True), (37, False)]
    assert "\x1b" not in lines[0][1]


def test_of_a_long_line_the_part_around_the_change_is_shown():
    begin = "    return max(" + ", ".join(f"f({n})" for n in range(40)) + ", "
    for line, column, start, end in (
        (f"{begin}alpha > beta)", len(begin), "... ", "alpha > beta)"),
        (f"{begin}alpha > beta)", 11, "return max(f(0)", " ..."),
        (begin[:86], 80, "return max(f(0)", begin[76:86].strip()),
    ):
        (shown,) = point_at({7: line}, {7: column}).shown(0)
        text = shown.removeprefix(" > 7 ")
        assert len(shown) <= WIDTH
        assert text.startswith(start) and text.rstrip().endswith(end)


@pytest.fixture(scope="module")
def graded():
    smallest = Counterexample(verdict_of(NO_CUTOFF, tree_of([1, [1, 1]])), 107)
    line = found_at(Place(36))
    wrong = grading_of(NO_CUTOFF, [textbook()])
    return replace(wrong, counterexample=smallest, localisation=line)


def test_the_first_screen_shows_it_above_the_tree_and_stays_a_screen(graded):
    screen = lay_out_summary(summarize(graded)).splitlines()
    (place,) = [n for n, line in enumerate(screen) if line.startswith(" > 36 ")]
    assert screen[place - 2].startswith("Look at line 36")
    assert place < next(n for n, line in enumerate(screen) if "fails on this tree" in line)
    assert len(screen) <= LINES and max(map(len, screen)) <= WIDTH
    summary = replace(summarize(graded), problems=tuple(f"problem {n}" for n in range(12)))
    screen = lay_out_summary(summary).splitlines()
    assert any(line.startswith("Look at line 36") for line in screen)
    assert not any(line.startswith(" > 36") for line in screen), "where room is short"


def test_the_report_shows_it_where_the_class_page_links_to(graded):
    html = report_html(graded)
    section = html[html.index('<section id="line">') :]
    assert "<span class=marked><i>36</i>" in section[: section.index("</section>")]
    without = replace(graded, localisation=None)
    assert "Look at line" not in lay_out_summary(summarize(without))
    assert 'id="line"' not in report_html(without)
