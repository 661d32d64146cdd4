"""Alpha-beta by hand: a sheet from one's own id, read as data, graded by the reference."""

import hashlib
import json
import math
import re
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import pytest
from helpers import ROOT

from autograder.byhand import grade_by_hand, ids_in, rows_by_hand
from autograder.course.download import read_course
from autograder.course.entries import list_entries
from autograder.course.gradebook import write_gradebook
from autograder.course.outcome import outcome_of
from autograder.grading import refuse, sheet_in, with_by_hand
from autograder.judging.steps import CUTOFF, ENTER, LEAF, replay
from autograder.kit import load_kit, load_reference
from autograder.results import results_of
from autograder.rubricfile import load_rubric
from autograder.showing.report import report_html
from autograder.showing.summary import feedback_text
from autograder.tasks import CONVENTIONS
from gametree import TreeError, byhand
from gametree.byhand import hand_trees, read_sheet, sheet_text
from gametree.functions import FUNCTIONS

RUBRIC = ROOT / "autograder" / "rubric.yaml"
IDS = [f"{number:06d}" for number in range(20)]
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
        steps = replay(hand.tree, hand.tree.searches[0], convention)
        names = [hand.tree.root.at(s.path).name for s in steps if s.kind == LEAF]
        (at,) = (s for s in steps if (s.kind, s.path) == (ENTER, hand.asked))
        assert CUTOFF in [step.kind for step in steps]
        answers.append((names, at.alpha, at.beta))
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
    assert digest == "e3eeeadf60c5a31a3bde2295815ddcc4aa7a74a24bc7d970ce1478f6aac2c9ca"
    assert leaves_of("AB-12 3") == leaves_of("ab123")
    for own, other in permutations(IDS, 2):
        known = {name for names in leaves_of(own) for name in names}
        assert not {name for names, *_ in right_answers(other) for name in names} <= known


def test_each_tree_has_a_cutoff_and_a_window_and_the_right_sheet_earns_all():
    for id, convention in product(IDS, REFERENCES):
        answers = right_answers(id, convention)
        finite = [(math.isfinite(alpha), math.isfinite(beta)) for _, alpha, beta in answers]
        assert finite == [(True, False), (False, True), (True, True)]
        by_hand = graded(filled(id, answers), [id], convention=convention)
        assert (by_hand.cents, by_hand.max_cents, by_hand.problem) == (600, 600, "")


def test_a_sheet_may_be_written_in_many_ways():
    answers = right_answers("7")
    sheets = {}
    for low, high in (
        ("-.inf", ".inf"), ("-infinity", "+infinity"), ('"-inf"', "INF  "),
        ("-\u221e", "\u221e"), ("\u2212Infinity", "math.inf"),
        ("-math.inf", "float('inf')"), ("float('-inf')", 'float("inf")'),
    ):  # fmt: skip
        ends = {-math.inf: low, math.inf: high}
        sheets[low] = filled("7", answers, lambda b, ends=ends: ends.get(b, b))
    for write in ("{:.1f}", "'{}'", "{:+}", "  {}  # mine"):
        sheets[write] = filled("7", answers, write.format)
    shuffled = [([*names[::-1], names[0]], a, b) for names, a, b in answers]
    sheets["any order"] = sheet = filled("7", shuffled)
    sheets["lines"] = b"\xef\xbb\xbf" + sheet.replace(b"\n", b"\r\n")
    pattern = rb"leaves: \[(.*)\]"
    sheets["capitals"] = re.sub(pattern, lambda m: b"leaves: " + m[1].upper(), sheet)
    sheets["listed"] = re.sub(
        pattern, lambda m: b"leaves:\n  - " + m[1].replace(b", ", b"\n  - "), sheet
    )
    for old, new in (
        ("alpha: ", "alpha:"), ("alpha: ", "alpha = "), ("alpha: -", "alpha: - "),
        ("alpha: -", "Alpha: minus "), ("  alpha", "\talpha"), ("leaves: [", "leaves:["),
        ("leaves: [", "leaves: [\n   "), ("leaves: [", "leaves: ("),
    ):  # fmt: skip
        assert old.encode() in sheet
        sheets[old, new] = sheet.replace(old.encode(), new.encode())
    assert [way for way, sheet in sheets.items() if graded(sheet).cents != 600] == []


def test_half_for_the_leaves_and_half_for_the_window_to_the_cent():
    names, alpha, beta = right_answers("7")[0]
    others = right_answers("7")[1:]
    for answer, told in (
        ((names[:-1], alpha, beta), f"leaves: alpha-beta visits {names[-1]}, which "
         "you left out\nwindow at D: right"),
        ((names, alpha + 1, beta), "leaves: right\nwindow at D: alpha is wrong"),
        ((names, "", beta), "leaves: right\nwindow at D: alpha is not written down"),
    ):  # fmt: skip
        by_hand = graded(filled("7", [answer, *others]), cents=100)
        assert [row.max_cents for row in by_hand.rows] == [34, 33, 33]
        assert by_hand.cents == 100 - 17 and by_hand.rows[0].text.startswith(told)


def test_what_is_not_filled_in_or_everything_earns_nothing():
    blank = graded(sheet_text("7").encode())
    assert (blank.cents, blank.problem) == (0, "")
    assert "no leaves are written down" in blank.rows[2].text
    windows = [([], a, b) for _, a, b in right_answers("7")]
    for answers in (windows, [(names, 0, 0) for names in leaves_of("7")]):
        assert graded(filled("7", answers)).cents == 0


def test_a_slip_in_one_tree_costs_that_tree_only_and_is_told_where_it_stands():
    for answer in ("none", "[1]", "3 or 4"):
        sheet = filled("7", right_answers("7"))
        by_hand = graded(sheet.replace(b"alpha: -inf", f"alpha: {answer}".encode()))
        assert by_hand.cents == 400
        told = f"tree 2: alpha is a number, infinity or -infinity, not {answer!r}"
        assert by_hand.rows[1].text.startswith(f"byhand.yaml, {told}")


class TestWhose:
    def test_a_copied_sheet_earns_nothing_nor_one_in_which_the_id_was_changed(self):
        copied = filled("123456", right_answers("123456"))
        by_hand = graded(copied, ["654321"])
        assert by_hand.cents == 0
        assert "made for the id 123456, which is not yours" in by_hand.problem
        renamed = graded(copied.replace(b'id: "123456"', b"id: 654321"), ["654321"])
        assert renamed.cents == 0
        assert "is this sheet made from your id?" in renamed.rows[0].text

    def test_any_id_of_a_group_will_do_and_an_e_mail_address_is_one(self):
        for own, ids in (
            ("U1234", ["u-1234"]), ("U1234", ["x", "U1234"]), ("U1234", ["u 1234", ""]),
            ("me.too@example.edu", ["17", "Me.Too@example.edu"]),
        ):  # fmt: skip
            assert graded(filled(own, right_answers(own)), ids).cents == 600

    def test_where_nobody_says_whose_it_is_that_is_told(self):
        sheet = filled("7", right_answers("7"))
        by_hand = graded(sheet, None)
        assert by_hand.cents == 600 and by_hand.note in by_hand.rows[0].text
        assert by_hand.note.startswith("for the id 7, by the sheet's own word")
        by_hand = graded(sheet, [])
        assert by_hand.cents == 0 and "names no student id" in by_hand.problem
        assert "\n" not in by_hand.problem

    def test_the_ids_are_gradescopes_sids_and_addresses(self, tmp_path):
        path = tmp_path / "submission_metadata.json"
        assert ids_in(path) == ()
        for content, ids in (
            ({"users": [{"id": 3, "email": "a@b.c", "sid": "0012"}]}, ("0012", "a@b.c")),
            ({"users": [{"sid": 12, "email": "a@b.c"}, {"sid": None}]}, ("12", "a@b.c")),
            *((odd, ()) for odd in ({"users": [{"id": 3}]}, {"users": [None]}, [])),
            ("[" * 10**5, ()),
        ):
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            assert ids_in(path) == ids


def test_what_is_no_sheet_is_told_in_one_line():
    for content in (
        b"", b"#" * 70_000, b"a: &a [x, x]\nb: &b [*a, *a]\n", b"\xff\xfe\x00id",
        b"tree 1:\n  leaves: []\n", b"id: [-]\n", b"id: " + b"7" * 1000, b"- 1\n- 2\n",
    ):  # fmt: skip
        told = "more than 65,536 bytes" if len(content) > 9999 else "it says no id"
        with pytest.raises(TreeError, match=f"^byhand.yaml: .*{told}"):
            read_sheet(content)
        by_hand = graded(content)
        assert by_hand.cents == 0 and told in by_hand.problem, content[:20]
        assert by_hand.problem.isprintable() and len(by_hand.problem) < 250


def test_sixty_thousand_signs_are_no_trouble():
    for content in (
        b"id: 7" + b" " * 60_000 + b"x\n", b"id: 7\n" + b" " * 60_000 + b"alpha\n",
        b"id: 7\ntree 1:\n  alpha: float(" + b"'" * 60_000 + b"x\n",
        b"id: 7\n" + b"\n" * 60_000 + b"x", b"id: 7\n" + b" \n" * 29_000 + b"x",
    ):  # fmt: skip
        by_hand = graded(content)
        assert by_hand.cents == 0
        assert all(row.text.startswith(("byhand.yaml", "no leav")) for row in by_hand.rows)


def test_the_command_writes_and_reads_the_sheet(tmp_path, monkeypatch, run_program):
    monkeypatch.chdir(tmp_path)
    for arguments in ((), ("--id", '"')):
        done = run_program(byhand.main, *arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert not list(tmp_path.iterdir())
    done = run_program(byhand.main, "--id", "123456")
    assert done.returncode == 0 and done.stdout.startswith("wrote byhand.yaml")
    sheet = tmp_path / "byhand.yaml"
    assert run_program(byhand.main, "--id", "1").stderr.count("\n") == 1
    assert sheet.read_text(encoding="utf-8") == sheet_text("123456")
    told = "id is 123456. Still to fill in: tree 1, tree 2 and tree 3."
    assert told in run_program(byhand.main).stdout
    sheet.write_bytes(filled("123456", right_answers("123456")))
    assert "All is filled in" in run_program(byhand.main).stdout
    sheet.write_bytes(filled("123456", right_answers("7")))
    done = run_program(byhand.main)
    assert done.returncode == 2 and "has no leaf" in done.stderr


class TestInTheResults:
    @pytest.fixture(scope="class")
    def kit(self, tmp_path_factory):
        kit, path = load_kit(), tmp_path_factory.mktemp("kit") / "rubric.yaml"
        assert kit.rubric.by_hand_cents == 0 and rows_by_hand(0) == ()
        assert kit.rows_of_all == kit.rows  # off, as long as nobody turns it on
        path.write_text(RUBRIC.read_text().replace("\nby_hand: 0\n", "\nby_hand: 5\n"))
        return replace(kit, rubric=load_rubric(path))

    def test_its_rows_come_first_and_count_without_a_line_of_code(self, kit):
        sheet = filled("7", right_answers("7"))
        grading = with_by_hand(refuse(kit, "no search.py"), kit, sheet, ["7"])
        results = results_of(grading)
        assert (results["score"], grading.max_cents) == (5.0, 10_500)
        rows = [(row["name"], row["score"]) for row in results["tests"]]
        assert rows[:3] == [(f"by hand: tree {n}", (1.67, 1.66)[n > 2]) for n in (1, 2, 3)]
        assert [row.name for row in kit.rows_of_all] == [name for name, _ in rows]

    def test_why_it_could_not_be_graded_stands_on_the_first_screen(self, kit):
        refused, told = refuse(kit, "no search.py"), "no byhand.yaml in the submission"
        grading = with_by_hand(refused, kit, told, ["7"])
        assert f"by hand: {told}" in feedback_text(grading)
        assert "no byhand.yaml" in report_html(grading)

    def test_a_class_has_a_column_of_it_only_where_it_is_on(self, kit, tmp_path):
        refused = refuse(kit, "no search.py")
        on = with_by_hand(refused, kit, filled("7", right_answers("7")), ["7"])
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "s.py").write_text("")
        course = read_course(tmp_path / "in")
        for grading, column in ((refused, False), (on, True)):
            outcome = outcome_of(grading, "s", "kit", "source")
            entries = list_entries(course, {"s": outcome})
            write_gradebook(tmp_path / "out", entries, FUNCTIONS)
            head, line = (tmp_path / "out" / "gradebook.csv").read_text().splitlines()
            assert (",by hand," in head) == column
            assert head.count(",") == line.count(",")


class TestStaging:
    def test_the_sheet_lies_beside_the_program_or_a_line_says_why_there_is_none(
        self, tmp_path
    ):
        program, sheet = tmp_path / "search.py", tmp_path / "byhand.yaml"
        program.write_text("")
        problem = "no byhand.yaml in the submission; found: search.py"
        assert str(sheet_in(tmp_path)) == problem
        assert "no byhand.yaml" in str(sheet_in(program))
        assert graded("", ["7"]).problem == "no byhand.yaml in the submission"
        sheet.symlink_to(program)
        assert "is a link" in str(sheet_in(tmp_path))
        sheet.unlink()
        sheet.write_bytes(b"#" * 70_000)
        assert "at most 65,536 are graded" in str(sheet_in(tmp_path))
        sheet.write_bytes(b"id: 7\n")
        assert sheet_in(tmp_path) == b"id: 7\n"

    def test_a_course_reads_it_where_it_is_asked_for(self, tmp_path):
        folder = tmp_path / "submission_1"
        folder.mkdir()
        (folder / "search.py").write_text("")
        (tmp_path / "submission_metadata.yml").write_text(
            "submission_1:\n  :submitters:\n  - :sid: '007'\n    :email: x@y.z\n"
        )
        (plain,) = read_course(tmp_path).submissions
        (without,) = read_course(tmp_path, by_hand=True).submissions
        (folder / "byhand.yaml").write_bytes(b"id: 7\n")
        (unasked,) = read_course(tmp_path).submissions
        (asked,) = read_course(tmp_path, by_hand=True).submissions
        assert (plain.hash, plain.sheet) == (unasked.hash, unasked.sheet)
        assert "no byhand.yaml" in str(without.sheet)
        assert (asked.sheet, asked.ids) == (b"id: 7\n", ("007", "x@y.z"))
        assert asked.hash != plain.hash

    def test_a_download_of_canvas_has_it_with_and_without_a_program(self, tmp_path):
        (tmp_path / "kimbo_222_901_byhand.yaml").write_text("id: 7\n")
        (tmp_path / "leeann_333_902_search.py").write_text("")
        (tmp_path / "leeann_333_903_byhand-1.yaml").write_text("id: 8\n")
        one, other = read_course(tmp_path, by_hand=True).submissions
        assert (one.source, one.sheet, one.ids) == (None, b"id: 7\n", None)
        assert (other.source, other.sheet) == (b"", b"id: 8\n")
