"""`make explain` explains rows to staff and students, and finds a submission by name."""

import json
import re

import pytest
from courses import NEEDS_FORK, ROSTER, TREE, WRONG
from drawn import NO_CUTOFF, RUBRIC, grading_of, textbook, verdict_on
from helpers import CORRECT, change_file, check_words, tables, tasks_of, tree_of, write

from autograder.kit.loading import load_kit
from autograder.scoring.scores import plan_rows, score_rows, score_text
from autograder.scoring.tasks import not_begun
from autograder.single import show
from autograder.workbench import explain
from autograder.workbench.explain import rows_to_explain, wrong_tasks
from autograder.workbench.show import WARNING, find_upload
from gametree.support.errors import InputError
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, Ending

HOSTILE = """
def minimax(node, depth, maximizing):
    print("\\x1b[31mred <b>")
    raise ValueError("\\x1b]0;title\\x07 <script>")  # the line
def alphabeta(node, depth, alpha, beta, maximizing):
    return 0
def best_move(node, depth, maximizing):
    return node.children[-1]
"""

pytestmark = NEEDS_FORK
PROGRAMS = {
    "right": CORRECT,
    "wrong": WRONG,
    "wrong twice": WRONG.replace("choose = max if", "choose = min if"),
    "hostile": HOSTILE,
    "broken": "def minimax(:\n",
}
CASES = tables("explained")


@pytest.fixture
def run_explain(walk, tmp_path, monkeypatch, capsys):
    """Return a function: a source or a name -> the part that may be sent, and the rest."""
    (walk.kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    monkeypatch.setattr(explain, "cached_kit", lambda **_: load_kit(walk.kit))

    def run(submission, *options):
        if "\n" in submission:
            folder = write(tmp_path / "hw", {"search.py": submission})
            submission = str(folder / "search.py")
        assert explain.main([submission, "--books", str(walk.out), *options]) == 0
        letter, _, staff = capsys.readouterr().out.partition(WARNING)
        return letter, staff

    return run


# ---- a row


@pytest.mark.parametrize("name", CASES)
def test_a_program_is_explained(run_explain, name):
    case = CASES[name]
    options = ["--row", case["row"]] if "row" in case else []
    letter, staff = run_explain(PROGRAMS[case["program"]], *options)
    check_words(letter, case.get("letter", ()), case.get("unsent", ()))
    check_words(staff, case.get("staff", ()))
    check_words(letter + staff, not_said=case.get("nowhere", ()))


def test_a_row_that_students_do_not_see_is_not_in_the_letter(run_explain, walk):
    hidden = ("visibility: visible", "visibility: hidden")
    change_file(walk.kit / "autograder" / "rubric.yaml", hidden)
    letter, staff = run_explain(WRONG, "--row", "2.02")
    assert "Students do not see this row, so the first part omits it." in staff
    assert "2.02" not in letter


def test_an_unknown_row_is_refused_and_the_valid_rows_are_named(run_explain):
    with pytest.raises(InputError, match="^ROW=9.99: no such row; write 1.01 to 3.02$"):
        run_explain(CORRECT, "--row", "9.99")


# ---- a student


def test_the_letter_names_the_student_and_no_hidden_tree(run_explain, walk):
    (walk.folder / "007.py").write_text(WRONG)
    walk.grade_all("--roster", walk.roster)
    letter, staff = run_explain("King, Ada")
    report = json.loads((walk.out / "007" / "results.json").read_text())["output"]
    assert letter == f"You may send this to Ada King 007 (007):\n\n{report.strip()}\n\n"
    assert "hidden" not in letter
    assert "the lesson of two" not in letter
    assert "one (public)" in staff


@pytest.mark.parametrize("name, by_hand", [("007", ", 70 points by hand"), ("008", "")])
def test_partners_have_their_own_points_by_hand(tmp_path, name, by_hand):
    head = "sid,name,email,submission,score,graded\n"
    rows = "007,Ada,,both,70,60\n008,Ada,,both,60,60\n"
    write(tmp_path, {"gradebook.csv": head + rows, "both/search.py": CORRECT})
    assert find_upload(name, tmp_path).owner == f"Ada {name} (both){by_hand}"


@pytest.fixture
def namesakes(walk):
    """Return the books of a course with two students of one name and a broken zip."""
    walk.roster.write_text(
        ROSTER.replace("Bö Kim", "Ada King") + "Eve;009;;\nAl;010;;\nDay Al;011;;\n"
    )
    (walk.folder / "Kim, Bo.py").rename(walk.folder / "008.py")
    (walk.folder / "009.zip").write_text("no zip")
    (walk.out / "people.csv").write_text("submission,student\n007,007\n008,008\n009,009\n")
    walk.grade_all("--roster", walk.roster)
    return walk.out


TWO = "2 may have this name; write the e-mail address or the whole sid: Ada King 007"
NOT_FOUND = {
    "Ada King": TWO,
    "zoe": "gradebook.csv has no submission with such a sid",
    "009": "Eve 009 (009): the upload has no program; ",
    "010": "Al 010 has no submission in ",
    "al day": "with such a sid, e-mail address, submission or name; perhaps Day Al 011",
    "10": "with such a sid, e-mail address, submission or name; perhaps Al 010",
}


def test_one_of_two_namesakes_is_found_by_the_sid(namesakes):
    upload = find_upload("008", namesakes)
    assert upload.owner == "Ada King 008 (008)"


@pytest.mark.parametrize("name", NOT_FOUND)
def test_a_name_that_matches_no_submission_is_refused_with_a_reason(namesakes, name):
    with pytest.raises(InputError, match=re.escape(NOT_FOUND[name])):
        find_upload(name, namesakes)


# ---- make grade, which shows every row to staff


def test_make_grade_shows_every_row_also_those_that_students_do_not_see_yet(
    tmp_path, capsys
):
    crash = "\n\ndef best_move(node, depth, maximizing):\n    1 / 0\n"
    crashing = grading_of(WRONG + crash, [textbook()], [textbook("two")])
    rows = tuple(row._replace(visibility="hidden") for row in crashing.rows)
    show(crashing._replace(rows=rows), tmp_path, has_report=True)
    lines = capsys.readouterr().out.splitlines()
    leaves = "0 of 1 trees correct: leaves wrong"
    crash = "0 of 1 trees correct: it raised"
    scores = [f"{score_text(row)}: " for row in rows if not row.is_right]
    assert lines[-5:-1] == [
        f"2.01 alphabeta: public trees {scores[0]}{leaves}",
        f"2.02 alphabeta: cutoffs at MIN {scores[1]}{leaves}",
        f"3.01 best_move: public trees {scores[2]}{crash} ZeroDivisionError",
        f"3.02 best_move: MAX moves first {scores[3]}{crash} an exception",
    ]
    assert f"Score: {score_text(crashing.score)}" in "\n".join(lines)
    assert [line for line in lines if "not shown" in line] == []


# ---- which rows and searches are explained

TIES = [tree_of("[1, [1, 1]]", name=f"tie-{number}") for number in range(3)]


def wrong_ties(trees, verdict_of):
    """Return the tasks of the row of ties that are wrong by these verdicts."""
    tasks = tasks_of(*trees, functions=["alphabeta"], hidden=True)
    (planned,) = plan_rows(tasks, RUBRIC)
    (row,) = score_rows([planned], [*map(verdict_of, tasks)], RUBRIC)
    assert row.concept == "ties"
    return wrong_tasks(planned, row)


def test_the_wrong_searches_with_the_fewest_leaves_come_first():
    larger = tree_of("[1, [1, 1], [0, 5]]", name="larger")
    wrong = wrong_ties([larger, *TIES], lambda task: verdict_on(task, NO_CUTOFF))
    assert [task.tree.name for task in wrong] == ["tie-0", "tie-1", "tie-2", "larger"]


def test_searches_that_were_not_run_are_not_explained():
    ending = Ending(NOT_RUN, undecided=True)
    assert wrong_ties(TIES, lambda task: judge(task, not_begun(task, ending))) == []


def test_rows_that_lost_most_come_first_and_correct_rows_are_omitted():
    grading = grading_of(NO_CUTOFF, [textbook()], [*TIES, textbook("two")])
    rows = rows_to_explain(grading, "")
    lost = [row.max_cents - row.cents for row in rows]
    assert len(rows) > 2
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0
