"""Sheets of alpha-beta by hand are created from an ID, read as data and graded."""

import hashlib
import math
import re
from dataclasses import replace
from functools import cache, partial
from itertools import chain, permutations

import pytest
from helpers import ROOT, cases

from autograder.byhand import grade_by_hand, ids_in
from autograder.course.download import read_course
from autograder.course.outcome import outcome_of
from autograder.grading import refuse, sheet_in, with_by_hand
from autograder.kit import cached_kit, load_reference
from autograder.scoring.rubric import load_rubric
from autograder.scoring.steps import CUTOFF, ENTER, LEAF, replay
from autograder.scoring.tasks import CONVENTIONS
from autograder.showing.report import report_html
from autograder.showing.results import results_of
from autograder.showing.summary import feedback_text
from gametree import TreeError, byhand
from gametree.byhand import HandAnswer, describe_foreign, hand_trees, read_sheet, sheet_text

RUBRIC = ROOT / "autograder" / "rubric.yaml"
IDS = [f"{number:06d}" for number in range(8)]
REFERENCES = {name: load_reference(ROOT, name) for name in CONVENTIONS}


@cache
def leaves_of(id):
    """Return the names of all leaves, for each tree of the ID."""
    return [[leaf.name for leaf in h.tree.root.frontier(9)] for h in hand_trees(id)]


@cache
def right_answers(id, convention="equality"):
    """Return (visited leaves, alpha, beta) of each tree, from its correct search."""
    answers = []
    for hand in hand_trees(id):
        steps = replay(hand.tree, hand.search, convention)
        leaves = [step for step in steps if step.kind == LEAF]
        names = [hand.tree.root.at(leaf.path).name for leaf in leaves]
        (turn,) = [s for s in steps if (s.kind, s.path) == (ENTER, hand.asked)]
        assert CUTOFF in [step.kind for step in steps], hand
        answers.append((names, turn.alpha, turn.beta))
    return answers


def fill_sheet(id, answers, write=str):
    """Return the sheet of an ID with these answers. `write` formats a bound."""
    head, *parts = re.split(r"(?=^tree \d:$)", sheet_text(id), flags=re.MULTILINE)
    sheet = head
    for part, (names, alpha, beta) in zip(parts, answers):
        part = part.replace("leaves: []", f"leaves: [{', '.join(names)}]")
        part = part.replace("alpha:\n", f"alpha: {write(alpha)}\n")
        sheet += part.replace("beta:\n", f"beta: {write(beta)}\n")
    return sheet.encode()


def grade_sheet(sheet, ids=None, cents=600, convention="equality"):
    """Return the ByHand of a sheet."""
    return grade_by_hand(sheet, ids, cents, REFERENCES[convention])


def test_an_id_gets_the_same_trees_on_every_system():
    digest = hashlib.sha256(sheet_text("123456").encode()).hexdigest()
    assert digest == "670786840409ec3346956fd075ae655d855f900a132728969f3bc44fb363e4c6"
    assert leaves_of("AB-12 3") == leaves_of("ab123")


def test_the_answers_of_another_id_never_fit():
    for id, other in permutations(IDS, 2):
        answers = [names for names, *_ in right_answers(other)]
        assert not set(chain(*answers)) <= set(chain(*leaves_of(id))), (id, other)


@pytest.mark.parametrize("convention", REFERENCES)
@pytest.mark.parametrize("id", IDS)
def test_each_tree_has_a_window_and_a_correct_sheet_gets_full_marks(id, convention):
    answers = right_answers(id, convention)
    finite = [(math.isfinite(alpha), math.isfinite(beta)) for _, alpha, beta in answers]
    assert finite == [(True, False), (False, True), (True, True)]
    by_hand = grade_sheet(fill_sheet(id, answers), [id], convention=convention)
    assert (by_hand.cents, by_hand.max_cents, by_hand.problem) == (600, 600, "")


RIGHT = right_answers("7")
SHEET = fill_sheet("7", RIGHT)


@pytest.mark.parametrize("write", cases("spellings of a bound"))
def test_a_bound_has_several_spellings(write):
    assert grade_sheet(fill_sheet("7", RIGHT, write.format)).cents == 600


@pytest.mark.parametrize("old, new", cases("spellings of a sheet"))
def test_infinities_spaces_and_brackets_have_several_spellings(old, new):
    assert old.encode() in SHEET
    assert grade_sheet(SHEET.replace(old.encode(), new.encode())).cents == 600


def test_order_repetition_and_capitals_do_not_matter():
    shuffled = [([*names[::-1], names[0]], low, high) for names, low, high in RIGHT]
    assert grade_sheet(fill_sheet("7", shuffled).upper()).cents == 600


NAMES, ALPHA, BETA = RIGHT[0]
UNWRITTEN = f"alpha-beta visits {NAMES[-1]}, which you did not write"
HALF_CORRECT = {  # text for the first tree -> its answer
    f"leaves: {UNWRITTEN}\nwindow at D: right": (NAMES[:-1], ALPHA, BETA),
    "leaves: right\nwindow at D: alpha is wrong": (NAMES, ALPHA + 1, BETA),
    "leaves: right\nwindow at D: alpha is missing": (NAMES, "", BETA),
}


@pytest.mark.parametrize("text", HALF_CORRECT)
def test_half_of_the_points_are_for_leaves_and_half_for_the_window(text):
    by_hand = grade_sheet(fill_sheet("7", [HALF_CORRECT[text], *RIGHT[1:]]), cents=100)
    assert [row.max_cents for row in by_hand.rows] == [34, 33, 33]
    assert by_hand.cents == 100 - 17
    assert by_hand.rows[0].text.startswith(text)


def test_an_odd_cent_is_for_the_leaves():
    answers = [RIGHT[0], (RIGHT[1][0], 0, 0), RIGHT[2]]
    assert grade_sheet(fill_sheet("7", answers), cents=100).rows[1].cents == 17


def test_leaves_alone_or_windows_alone_earn_nothing():
    blank = grade_sheet(sheet_text("7").encode())
    assert (blank.cents, blank.problem) == (0, "")
    assert "the leaves are missing" in blank.rows[2].text
    only_windows = [([], low, high) for _, low, high in RIGHT]
    assert grade_sheet(fill_sheet("7", only_windows)).cents == 0
    only_leaves = [(names, 0, 0) for names in leaves_of("7")]
    assert grade_sheet(fill_sheet("7", only_leaves)).cents == 0


@pytest.mark.parametrize("answer", ["none", "[1]", "3 or 4", "y" * 99])
def test_an_error_in_a_tree_costs_only_this_tree_and_is_located(answer):
    by_hand = grade_sheet(SHEET.replace(b"alpha: -inf", f"alpha: {answer}".encode()))
    assert by_hand.cents == 400
    problem = f"tree 2: alpha must be a number, infinity or -infinity, not {answer[:20]!r}"
    assert by_hand.rows[1].text.startswith(f"byhand.yaml, {problem}")


def test_a_leaf_of_another_tree_is_named_and_a_long_name_truncated():
    hand = hand_trees("7")[0]
    leaves = leaves_of("7")[0]
    described = describe_foreign(hand, HandAnswer(frozenset([*leaves, "q" * 21, "x1"])))
    assert described.startswith(f"tree 1 has no leaf {'q' * 20}: check")
    assert describe_foreign(hand, HandAnswer(frozenset(leaves))) == ""


class TestOwner:
    def test_a_copied_sheet_earns_nothing_even_with_a_changed_id(self):
        copied = fill_sheet("123456", right_answers("123456"))
        by_hand = grade_sheet(copied, ["654321"])
        assert by_hand.cents == 0
        assert "has the id 123456, which is not yours" in by_hand.problem
        renamed = grade_sheet(copied.replace(b'id: "123456"', b"id: 654321"), ["654321"])
        assert renamed.cents == 0
        assert "check that this sheet was created with your id" in renamed.rows[0].text

    @pytest.mark.parametrize("id, ids", cases("ids of a group"))
    def test_a_group_may_use_an_id_or_address_of_any_member(self, id, ids):
        assert grade_sheet(fill_sheet(id, right_answers(id)), ids).cents == 600

    def test_an_unknown_owner_is_a_note_and_an_owner_without_id_a_problem(self):
        by_hand = grade_sheet(SHEET, None)
        assert by_hand.cents == 600 and by_hand.note in by_hand.rows[0].text
        assert by_hand.note.startswith("graded for the id 7 of the sheet")
        by_hand = grade_sheet(SHEET, [])
        assert by_hand.cents == 0 and "neither your student id" in by_hand.problem
        assert "\n" not in by_hand.problem

    @pytest.mark.parametrize("content, ids", cases("ids of Gradescope"))
    def test_the_ids_are_sids_and_addresses_from_gradescope(self, tmp_path, content, ids):
        path = tmp_path / "submission_metadata.json"
        assert ids_in(path) == ()
        path.write_text(content)
        assert ids_in(path) == tuple(ids)


@pytest.mark.parametrize("text, filler, count, problem", cases("files that are not sheets"))
def test_a_file_that_is_not_a_sheet_gets_an_error_in_one_line(text, filler, count, problem):
    content = (text + filler * count).encode("latin-1")
    with pytest.raises(TreeError, match=f"^byhand.yaml: .*{problem}"):
        read_sheet(content)
    by_hand = grade_sheet(content)
    assert by_hand.cents == 0
    assert problem in by_hand.problem
    assert by_hand.problem.isprintable()
    assert len(by_hand.problem) < 250


def test_the_largest_sheet_and_the_longest_id_are_read():
    longest = b"7" * byhand.MAX_ID
    sheet = b"id: " + longest + b"\n"
    id, _ = read_sheet(sheet.ljust(byhand.MAX_SIZE, b"#"))
    assert id == longest.decode()


@pytest.mark.parametrize("before, filler, count, after", cases("long sheets"))
def test_a_sheet_of_sixty_thousand_characters_is_graded(before, filler, count, after):
    content = (before + filler * count + after).encode()
    by_hand = grade_sheet(content)
    assert by_hand.cents == 0
    texts = [row.text for row in by_hand.rows]
    assert all(text.startswith(("byhand.yaml", "the leaves are")) for text in texts), texts


@pytest.fixture
def command(tmp_path, monkeypatch, run_program):
    """Return a function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(run_program, byhand.main)


@pytest.mark.parametrize("arguments", [(), ("--id", '"'), ("--id", "7" * 101)])
def test_a_command_without_a_valid_id_writes_nothing(tmp_path, command, arguments):
    done = command(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_the_command_never_overwrites_a_sheet(tmp_path, command):
    done = command("--id", "123456")
    assert (done.returncode, done.stdout.startswith("wrote byhand.yaml")) == (0, True)
    assert command("--id", "1").stderr.count("\n") == 1
    written = (tmp_path / "byhand.yaml").read_text(encoding="utf-8")
    assert written == sheet_text("123456")


def test_the_command_checks_a_sheet(tmp_path, command):
    sheet = tmp_path / "byhand.yaml"
    sheet.write_text(sheet_text("123456"), encoding="utf-8")
    missing = "the id 123456. It is not complete yet: see tree 1, tree 2 and tree 3."
    assert missing in command().stdout
    sheet.write_bytes(fill_sheet("123456", right_answers("123456")))
    assert "is complete" in command().stdout
    sheet.write_bytes(fill_sheet("123456", RIGHT))
    done = command()
    assert (done.returncode, "has no leaf" in done.stderr) == (2, True)


class TestResults:
    @pytest.fixture(scope="class")
    def kit(self, tmp_path_factory):
        """Return the kit with five points by hand."""
        kit = cached_kit()
        path = tmp_path_factory.mktemp("kit") / "rubric.yaml"
        assert kit.rubric.by_hand_cents == 0
        assert kit.rows_of_all == kit.rows  # by_hand is off by default
        path.write_text(RUBRIC.read_text().replace("\nby_hand: 0\n", "\nby_hand: 5\n"))
        return replace(kit, rubric=load_rubric(path))

    def test_rows_by_hand_come_first_and_count_without_a_program(self, kit):
        grading = with_by_hand(refuse(kit, "no search.py"), kit, SHEET, ["7"])
        results = results_of(grading)
        assert results["score"] == 5.0
        assert grading.max_cents == sum(kit.rubric.cents.values()) + 500
        rows = [(row["name"], row["score"]) for row in results["tests"]]
        assert rows[:3] == [(f"by hand: tree {n}", (1.67, 1.66)[n > 2]) for n in (1, 2, 3)]
        assert [row.name for row in kit.rows_of_all] == [name for name, _ in rows]

    def test_a_problem_of_the_sheet_is_on_the_first_screen(self, kit):
        reason = "the submission contains no byhand.yaml"
        grading = with_by_hand(refuse(kit, "no search.py"), kit, reason, ["7"])
        assert f"by hand: {reason}" in feedback_text(grading)
        assert "no byhand.yaml" in report_html(grading)

    def test_the_report_folds_the_correct_trees_of_a_sheet(self, kit):
        sheet = fill_sheet("7", [next(iter(HALF_CORRECT.values())), *RIGHT[1:]])
        grading = with_by_hand(refuse(kit, "no search.py"), kit, sheet, ["7"])
        assert report_html(grading).count('class="row right"') == 2

    def test_a_class_has_a_column_only_if_by_hand_is_on(self, kit):
        refused = refuse(kit, "no search.py")
        on = with_by_hand(refused, kit, SHEET, ["7"])
        columns = [outcome_of(grading, "s", "", "").parts for grading in (refused, on)]
        assert [parts.get("by hand") for parts in columns] == [None, 500]


class TestStaging:
    def test_a_sheet_is_read_or_reported_as_missing(self, tmp_path):
        (tmp_path / "search.py").touch()
        problem = "no byhand.yaml in the submission; found: search.py"
        assert str(sheet_in(tmp_path)) == problem
        assert grade_sheet("", ["7"]).problem == "the submission contains no byhand.yaml"
        (tmp_path / "byhand.yaml").write_bytes(b"id: 7\n")
        assert sheet_in(tmp_path) == b"id: 7\n"

    def test_a_course_reads_the_sheet(self, tmp_path):
        folder = tmp_path / "submission_1"
        folder.mkdir()
        (folder / "search.py").write_text("")
        (tmp_path / "submission_metadata.yml").write_text(
            "submission_1:\n  :submitters:\n  - :sid: '007'\n    :email: x@y.z\n"
        )
        (without,) = read_course(tmp_path).submissions
        (folder / "byhand.yaml").write_bytes(b"id: 7\n")
        (submission,) = read_course(tmp_path).submissions
        assert "no byhand.yaml" in str(without.sheet)
        assert (submission.sheet, submission.ids) == (b"id: 7\n", ("007", "x@y.z"))
        assert submission.hash != without.hash

    def test_a_canvas_download_has_sheets_with_and_without_programs(self, tmp_path):
        (tmp_path / "kimbo_222_901_byhand.yaml").write_text("id: 7\n")
        (tmp_path / "leeann_333_902_search.py").write_text("")
        (tmp_path / "leeann_333_903_byhand-1.yaml").write_text("id: 8\n")
        alone, with_program = read_course(tmp_path).submissions
        assert (alone.source, alone.sheet, alone.ids) == (None, b"id: 7\n", None)
        assert (with_program.source, with_program.sheet) == (b"", b"id: 8\n")
