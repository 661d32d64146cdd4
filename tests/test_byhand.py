"""Alpha-beta by hand: a sheet from one's own id, read as data, graded by the reference."""

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
from autograder.judging.steps import CUTOFF, ENTER, LEAF, replay
from autograder.kit import cached_kit, load_reference
from autograder.results import results_of
from autograder.rubricfile import load_rubric
from autograder.showing.report import report_html
from autograder.showing.summary import feedback_text
from autograder.tasks import CONVENTIONS
from gametree import TreeError, byhand
from gametree.byhand import HandAnswer, describe_foreign, hand_trees, read_sheet, sheet_text

RUBRIC = ROOT / "autograder" / "rubric.yaml"
IDS = [f"{number:06d}" for number in range(8)]
REFERENCES = {name: load_reference(ROOT, name) for name in CONVENTIONS}


@cache
def leaves_of(id):
    """Return the names of all leaves of each of the id's trees."""
    return [[leaf.name for leaf in h.tree.root.frontier(9)] for h in hand_trees(id)]


@cache
def right_answers(id, convention="equality"):
    """Return (leaves, alpha, beta) of each tree, by the steps of its right search."""
    answers = []
    for hand in hand_trees(id):
        steps = replay(hand.tree, hand.search, convention)
        leaves = [step for step in steps if step.kind == LEAF]
        names = [hand.tree.root.at(leaf.path).name for leaf in leaves]
        (turn,) = [s for s in steps if (s.kind, s.path) == (ENTER, hand.asked)]
        assert CUTOFF in [step.kind for step in steps], hand
        answers.append((names, turn.alpha, turn.beta))
    return answers


def filled(id, answers, write=str):
    """Return the sheet of an id with these answers; `write` writes a bound."""
    head, *parts = re.split(r"(?=^tree \d:$)", sheet_text(id), flags=re.MULTILINE)
    sheet = head
    for part, (names, alpha, beta) in zip(parts, answers):
        part = part.replace("leaves: []", f"leaves: [{', '.join(names)}]")
        part = part.replace("alpha:\n", f"alpha: {write(alpha)}\n")
        sheet += part.replace("beta:\n", f"beta: {write(beta)}\n")
    return sheet.encode()


def graded(sheet, ids=None, cents=600, convention="equality"):
    return grade_by_hand(sheet, ids, cents, REFERENCES[convention])


def test_the_trees_are_the_ids_own_the_same_on_every_system_for_good():
    digest = hashlib.sha256(sheet_text("123456").encode()).hexdigest()
    assert digest == "670786840409ec3346956fd075ae655d855f900a132728969f3bc44fb363e4c6"
    assert leaves_of("AB-12 3") == leaves_of("ab123")


def test_no_other_ids_answer_fits():
    for id, other in permutations(IDS, 2):
        answers = [names for names, *_ in right_answers(other)]
        assert not set(chain(*answers)) <= set(chain(*leaves_of(id))), (id, other)


@pytest.mark.parametrize("convention", REFERENCES)
@pytest.mark.parametrize("id", IDS)
def test_each_tree_has_a_cutoff_and_a_window_and_the_right_sheet_earns_all(id, convention):
    answers = right_answers(id, convention)
    finite = [(math.isfinite(alpha), math.isfinite(beta)) for _, alpha, beta in answers]
    assert finite == [(True, False), (False, True), (True, True)]
    by_hand = graded(filled(id, answers), [id], convention=convention)
    assert (by_hand.cents, by_hand.max_cents, by_hand.problem) == (600, 600, "")


RIGHT = right_answers("7")
SHEET = filled("7", RIGHT)


@pytest.mark.parametrize("write", cases("spellings of a bound"))
def test_a_bound_may_be_written_in_many_ways(write):
    assert graded(filled("7", RIGHT, write.format)).cents == 600


@pytest.mark.parametrize("old, new", cases("spellings of a sheet"))
def test_infinities_spaces_and_brackets_may_be_written_in_many_ways(old, new):
    assert old.encode() in SHEET
    assert graded(SHEET.replace(old.encode(), new.encode())).cents == 600


def test_leaves_may_be_in_any_order_and_twice_and_all_may_be_in_capitals():
    shuffled = [([*names[::-1], names[0]], low, high) for names, low, high in RIGHT]
    assert graded(filled("7", shuffled).upper()).cents == 600


NAMES, ALPHA, BETA = RIGHT[0]
UNWRITTEN = f"alpha-beta visits {NAMES[-1]}, which you did not write"
HALF_RIGHT = {  # text for the first tree -> its answer
    f"leaves: {UNWRITTEN}\nwindow at D: right": (NAMES[:-1], ALPHA, BETA),
    "leaves: right\nwindow at D: alpha is wrong": (NAMES, ALPHA + 1, BETA),
    "leaves: right\nwindow at D: alpha is missing": (NAMES, "", BETA),
}


@pytest.mark.parametrize("text", HALF_RIGHT)
def test_half_for_the_leaves_and_half_for_the_window_to_the_cent(text):
    by_hand = graded(filled("7", [HALF_RIGHT[text], *RIGHT[1:]]), cents=100)
    assert [row.max_cents for row in by_hand.rows] == [34, 33, 33]
    assert by_hand.cents == 100 - 17
    assert by_hand.rows[0].text.startswith(text)


def test_the_larger_half_is_for_the_leaves():
    answers = [RIGHT[0], (RIGHT[1][0], 0, 0), RIGHT[2]]
    assert graded(filled("7", answers), cents=100).rows[1].cents == 17


def test_leaves_or_a_window_alone_earn_nothing():
    blank = graded(sheet_text("7").encode())
    assert (blank.cents, blank.problem) == (0, "")
    assert "the leaves are missing" in blank.rows[2].text
    assert graded(filled("7", [([], low, high) for _, low, high in RIGHT])).cents == 0
    assert graded(filled("7", [(names, 0, 0) for names in leaves_of("7")])).cents == 0


@pytest.mark.parametrize("answer", ["none", "[1]", "3 or 4", "y" * 99])
def test_a_slip_in_one_tree_costs_that_tree_only_and_is_told_where_it_stands(answer):
    by_hand = graded(SHEET.replace(b"alpha: -inf", f"alpha: {answer}".encode()))
    assert by_hand.cents == 400
    problem = f"tree 2: alpha must be a number, infinity or -infinity, not {answer[:20]!r}"
    assert by_hand.rows[1].text.startswith(f"byhand.yaml, {problem}")


def test_a_leaf_of_another_tree_is_named_and_a_long_name_cut():
    hand = hand_trees("7")[0]
    own = leaves_of("7")[0]
    described = describe_foreign(hand, HandAnswer(frozenset([*own, "q" * 21, "x1"])))
    assert described.startswith(f"tree 1 has no leaf {'q' * 20}: check")
    assert describe_foreign(hand, HandAnswer(frozenset(own))) == ""


class TestWhose:
    def test_a_copied_sheet_earns_nothing_nor_one_in_which_the_id_was_changed(self):
        copied = filled("123456", right_answers("123456"))
        by_hand = graded(copied, ["654321"])
        assert by_hand.cents == 0
        assert "has the id 123456, which is not yours" in by_hand.problem
        renamed = graded(copied.replace(b'id: "123456"', b"id: 654321"), ["654321"])
        assert renamed.cents == 0
        assert "check that this sheet was created with your id" in renamed.rows[0].text

    @pytest.mark.parametrize("id, ids", cases("ids of a group"))
    def test_any_id_of_a_group_will_do_and_an_e_mail_address_is_one(self, id, ids):
        assert graded(filled(id, right_answers(id)), ids).cents == 600

    def test_where_nobody_says_whose_it_is_that_is_told(self):
        by_hand = graded(SHEET, None)
        assert by_hand.cents == 600 and by_hand.note in by_hand.rows[0].text
        assert by_hand.note.startswith("graded for the id 7 of the sheet")
        by_hand = graded(SHEET, [])
        assert by_hand.cents == 0 and "neither your student id" in by_hand.problem
        assert "\n" not in by_hand.problem

    @pytest.mark.parametrize("content, ids", cases("ids of Gradescope"))
    def test_the_ids_are_gradescopes_sids_and_addresses(self, tmp_path, content, ids):
        path = tmp_path / "submission_metadata.json"
        assert ids_in(path) == ()
        path.write_text(content)
        assert ids_in(path) == tuple(ids)


@pytest.mark.parametrize("text, filler, count, problem", cases("files that are not sheets"))
def test_a_file_that_is_not_a_sheet_gets_one_line(text, filler, count, problem):
    content = (text + filler * count).encode("latin-1")
    with pytest.raises(TreeError, match=f"^byhand.yaml: .*{problem}"):
        read_sheet(content)
    by_hand = graded(content)
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
def test_sixty_thousand_signs_are_no_trouble(before, filler, count, after):
    content = (before + filler * count + after).encode()
    by_hand = graded(content)
    assert by_hand.cents == 0
    texts = [row.text for row in by_hand.rows]
    assert all(text.startswith(("byhand.yaml", "the leaves are")) for text in texts), texts


@pytest.fixture
def command(tmp_path, monkeypatch, run_program):
    """The function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(run_program, byhand.main)


@pytest.mark.parametrize("arguments", [(), ("--id", '"'), ("--id", "7" * 101)])
def test_a_command_without_an_id_writes_nothing(tmp_path, command, arguments):
    done = command(*arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_sheet_once(tmp_path, command):
    done = command("--id", "123456")
    assert (done.returncode, done.stdout.startswith("wrote byhand.yaml")) == (0, True)
    assert command("--id", "1").stderr.count("\n") == 1
    written = (tmp_path / "byhand.yaml").read_text(encoding="utf-8")
    assert written == sheet_text("123456")


def test_the_command_looks_through_a_sheet(tmp_path, command):
    sheet = tmp_path / "byhand.yaml"
    sheet.write_text(sheet_text("123456"), encoding="utf-8")
    missing = "the id 123456. It is not complete yet: see tree 1, tree 2 and tree 3."
    assert missing in command().stdout
    sheet.write_bytes(filled("123456", right_answers("123456")))
    assert "is complete" in command().stdout
    sheet.write_bytes(filled("123456", RIGHT))
    done = command()
    assert (done.returncode, "has no leaf" in done.stderr) == (2, True)


class TestInTheResults:
    @pytest.fixture(scope="class")
    def kit(self, tmp_path_factory):
        kit = cached_kit()
        path = tmp_path_factory.mktemp("kit") / "rubric.yaml"
        assert kit.rubric.by_hand_cents == 0
        assert kit.rows_of_all == kit.rows  # off, as long as nobody turns it on
        path.write_text(RUBRIC.read_text().replace("\nby_hand: 0\n", "\nby_hand: 5\n"))
        return replace(kit, rubric=load_rubric(path))

    def test_its_rows_come_first_and_count_without_a_line_of_code(self, kit):
        grading = with_by_hand(refuse(kit, "no search.py"), kit, SHEET, ["7"])
        results = results_of(grading)
        assert results["score"] == 5.0
        assert grading.max_cents == sum(kit.rubric.cents.values()) + 500
        rows = [(row["name"], row["score"]) for row in results["tests"]]
        assert rows[:3] == [(f"by hand: tree {n}", (1.67, 1.66)[n > 2]) for n in (1, 2, 3)]
        assert [row.name for row in kit.rows_of_all] == [name for name, _ in rows]

    def test_why_it_could_not_be_graded_stands_on_the_first_screen(self, kit):
        told = "the submission contains no byhand.yaml"
        grading = with_by_hand(refuse(kit, "no search.py"), kit, told, ["7"])
        assert f"by hand: {told}" in feedback_text(grading)
        assert "no byhand.yaml" in report_html(grading)

    def test_a_class_has_a_column_of_it_only_where_it_is_on(self, kit):
        refused = refuse(kit, "no search.py")
        on = with_by_hand(refused, kit, SHEET, ["7"])
        columns = [outcome_of(grading, "s", "", "").parts for grading in (refused, on)]
        assert [parts.get("by hand") for parts in columns] == [None, 500]


class TestStaging:
    def test_the_sheet_lies_beside_the_program_or_a_line_says_why_there_is_none(
        self, tmp_path
    ):
        (tmp_path / "search.py").touch()
        problem = "no byhand.yaml in the submission; found: search.py"
        assert str(sheet_in(tmp_path)) == problem
        assert graded("", ["7"]).problem == "the submission contains no byhand.yaml"
        (tmp_path / "byhand.yaml").write_bytes(b"id: 7\n")
        assert sheet_in(tmp_path) == b"id: 7\n"

    def test_a_course_reads_it(self, tmp_path):
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

    def test_a_download_of_canvas_has_it_with_and_without_a_program(self, tmp_path):
        (tmp_path / "kimbo_222_901_byhand.yaml").write_text("id: 7\n")
        (tmp_path / "leeann_333_902_search.py").write_text("")
        (tmp_path / "leeann_333_903_byhand-1.yaml").write_text("id: 8\n")
        one, other = read_course(tmp_path).submissions
        assert (one.source, one.sheet, one.ids) == (None, b"id: 7\n", None)
        assert (other.source, other.sheet) == (b"", b"id: 8\n")
