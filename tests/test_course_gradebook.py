"""The books of a course: a row for everybody, points by hand, and who changed since."""

import json
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from drawn import grading_of, textbook
from fixtures.make_class import rows_of, write

from autograder.command import Refused
from autograder.course.gradebook import (
    Override,
    list_entries,
    read_gradebook,
    read_overrides,
    write_gradebook,
)
from autograder.course.handback import (
    remarks_on,
    write_canvas,
    write_changes,
    write_feedback,
    write_moodle,
)
from autograder.course.outcome import (
    LoadFailure,
    Outcome,
    Status,
    Stop,
    explains_all,
    outcome_of,
    reason_of,
)
from autograder.course.people import Finder, Student
from autograder.course.submissions import Course, Submission
from autograder.judging.scores import points_text
from autograder.showing.report import report_html

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}  # cents
OUTCOME = Outcome(
    id="s1",
    kit="kit",
    source="source",
    status=Status.GRADED,
    diagnoses=["Cuts strictly"],
    cents=3734,
    parts=PARTS,
    lost={"r": 9},
    searches={"minimax": 10},
    stops=[],
    lines=[36],
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")
SUBMISSION = Submission("s1", (ADA,))
LIMIT = 10000  # cents


def overrides_in(folder, text, *submissions):
    """Return the overrides of a text, and the lines on those of nobody."""
    write(folder, {"overrides.csv": text})
    owners = []
    for submission in submissions:
        owners += [(student, submission.id) for student in submission.students]
    return read_overrides(folder / "overrides.csv", Finder(owners), LIMIT)


def entries(*submissions, absent=(), fields=(), **more):
    """Return the entries of a class, whose outcomes are of the files as they are.

    fields: submission's id -> what its outcome does not share with OUTCOME.
    """
    fields_of = dict(fields)
    outcomes = {}
    for submission in submissions:
        outcome = replace(OUTCOME, id=submission.id, source=submission.hash)
        outcomes[outcome.id] = replace(outcome, **fields_of.get(outcome.id, {}))
    return list_entries(Course(submissions, absent=absent), outcomes, **more)


def at(text):
    """Return the point in time that a text names."""
    return datetime.fromisoformat(text)


def written(folder, *submissions, **more):
    """Return the rows of the gradebook of a class, once it is written."""
    write_gradebook(folder, entries(*submissions, **more), PARTS)
    return rows_of(folder / "gradebook.csv")


def write_books(folder, everybody):
    """Write both books; return the lines on them."""
    lines = write_gradebook(folder, everybody, PARTS)
    return lines + write_canvas(folder, everybody, "T")


class TestOutcomes:
    def test_what_is_stored_are_codes(self, tmp_path):
        failure = LoadFailure("raised", "SyntaxError", "x\ud800", 3)
        stop = Stop("minimax", "raised", "NameError", 2)
        outcome = replace(
            OUTCOME, status=Status.PROVISIONAL, load_failure=failure, stops=[stop]
        )
        outcome.save(tmp_path)
        text = (tmp_path / "s1" / "outcome.json").read_text()
        assert json.loads(text)["status"] == "PROVISIONAL"
        assert "not settled" not in text
        assert Outcome.load(tmp_path, "s1") == outcome

    @pytest.mark.parametrize(
        "broken", [b"5", b"[]", b'{"id": "s1", "ki', b'{"id": 1}', b"\xff"]
    )
    def test_a_broken_one_is_none(self, tmp_path, broken):
        write(tmp_path, {"s1/outcome.json": broken})
        assert Outcome.load(tmp_path, "s1") is None

    @pytest.mark.parametrize(
        "change",
        [
            {"status": "graded"},  # as earlier versions stored it
            {"stops": [{"how": "crashed"}]},
            {"reason": "minimax: crashed"},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_one_of_another_version_is_none(self, tmp_path, change):
        OUTCOME.save(tmp_path)
        path = tmp_path / "s1" / "outcome.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
        assert Outcome.load(tmp_path, "s1") is None

    def test_the_last_one_by_another_kit_stays_beside_it(self, tmp_path):
        OUTCOME.save(tmp_path)
        replace(OUTCOME, cents=1).save(tmp_path)
        assert Outcome.load(tmp_path, "s1", "earlier.json") is None
        replace(OUTCOME, kit="new").save(tmp_path)
        replace(OUTCOME, kit="new", cents=2).save(tmp_path)
        assert Outcome.load(tmp_path, "s1", "earlier.json").cents == 1

    @pytest.mark.parametrize(
        "functions, exact, explained",
        [
            (["best_move"], True, False),
            (["best_move", "alphabeta"], True, True),
            (["best_move", "alphabeta"], False, False),
        ],
    )
    def test_a_program_is_explained_where_each_wrong_function_is(
        self, functions, exact, explained
    ):
        source = "def alphabeta(*_):\n    return 1\n\ndef best_move(*_):\n    return 1\n"
        grading = grading_of(source, [textbook()])
        diagnosis = SimpleNamespace(functions=functions, exact=exact)
        assert explains_all(replace(grading, diagnoses=(diagnosis,))) is explained

    def test_a_right_program_is_not_explained(self):
        assert not explains_all(SimpleNamespace(rows=(), diagnoses=()))

    def test_programs_that_do_the_same_have_one_behaviour_and_right_ones_none(self):
        def behaviour_of(number):
            source = f"def alphabeta(*_):\n    return {number}\n"
            grading = grading_of(source, [textbook()])
            return outcome_of(grading, "s", "kit", "source").behaviour

        assert behaviour_of("1") == behaviour_of("1.0") != behaviour_of("2")
        assert behaviour_of("1") != ""


class TestReasons:
    """What a TA reads, of codes and counts."""

    CRASHED = Stop("minimax", "raised", "NameError", 10)

    @staticmethod
    def reason(*stops):
        return reason_of(replace(OUTCOME, stops=stops))

    @pytest.mark.parametrize(
        "kind, error, how",
        [
            ("raised", "NameError", "crashed with NameError"),
            ("raised", "function missing", "not in the file"),
            ("timed out", "", "ran out of time"),
        ],
    )
    def test_each_way_to_stop_has_its_words(self, kind, error, how):
        assert self.reason(Stop("minimax", kind, error, 10)) == f"minimax: {how}"

    def test_an_import_that_hangs_gets_a_hint(self):
        failure = LoadFailure("timed out", "", "", None)
        outcome = replace(OUTCOME, status=Status.NOT_LOADED, load_failure=failure)
        assert reason_of(outcome).endswith("an endless loop outside the functions?")

    def test_it_says_on_how_many_searches(self):
        stop = replace(self.CRASHED, searches=9)
        reason = "minimax: crashed with NameError on 9 of 10 searches"
        assert self.reason(stop) == reason

    def test_the_three_most_frequent_ways_are_said(self):
        stops = [replace(self.CRASHED, error=name) for name in ("A", "B", "C", "D")]
        reason = "minimax: crashed with A; minimax: crashed with B; minimax: crashed with C"
        assert self.reason(*stops) == reason


class TestGradebook:
    def test_the_columns_are_these(self, tmp_path):
        written(tmp_path, SUBMISSION)
        assert (tmp_path / "gradebook.csv").read_text(encoding="utf-8-sig") == (
            "sid,name,email,submission,section,score,counts,minimax,alphabeta,best_move,diagnosis,"
            "status,reason,graded,note,handed in,minutes late,late,Gradescope\n"
            "00123,Ada,ada@example.edu,s1,,37.34,yes,25,12.34,0,Cuts strictly,"
            "graded,,37.34,,,,,\n"
        )

    def test_what_another_kit_graded_is_marked(self, tmp_path):
        [row] = written(tmp_path, SUBMISSION, kit="another")
        cells = (row["score"], row["graded"], row["status"])
        assert cells == ("", "37.34", "out of date")

    def test_what_is_of_another_file_is_marked(self):
        outcomes = {"s1": replace(OUTCOME, source="another")}
        [entry] = list_entries(Course((SUBMISSION,)), outcomes, "kit")
        assert entry.outcome.status == Status.OUT_OF_DATE

    def test_a_formula_in_a_name_stays_text_and_is_read_back(self, tmp_path):
        formula = "=1+1"
        student = Student(formula, formula, formula)
        [row] = written(tmp_path, Submission("s1", (student,)))
        assert row["name"] == row["sid"] == row["email"] == "'=1+1"
        assert read_gradebook(tmp_path / "gradebook.csv") == [(student, "s1")]

    @pytest.mark.parametrize(
        "handed_in, minutes, words",
        [
            ("2026-12-01T22:59:00+00:00", "0", ""),
            ("2026-12-01T22:59:01+00:00", "1", "1 min"),
            ("2026-12-02T00:59:00+01:00", "60", "1 h"),
            ("2026-12-02T00:59:00", "60", "1 h"),  # in a file's name, so it is local
            ("2026-12-04T00:49:00+01:00", "2930", "2 days 50 min"),
        ],
    )
    def test_lateness_is_a_column_of_minutes_and_one_of_days_and_hours(
        self, tmp_path, handed_in, minutes, words
    ):
        due = at("2026-12-01T23:59+01:00")
        submission = replace(SUBMISSION, handed_in=at(handed_in))
        [row] = written(tmp_path, submission, deadline=due)
        lateness = (row["handed in"], row["minutes late"], row["late"])
        assert lateness == (handed_in, minutes, words)
        [row] = written(tmp_path, SUBMISSION, deadline=due)
        assert row["handed in"] == row["minutes late"] == row["late"] == ""

    @pytest.mark.parametrize("name", ["gradebook", "canvas"])
    def test_a_book_that_was_edited_by_hand_is_saved_with_a_line(self, tmp_path, name):
        everybody = entries(SUBMISSION)
        path = tmp_path / f"{name}.csv"
        assert write_books(tmp_path, everybody) == []
        before = path.read_bytes()
        for number, edited in enumerate(("excused", "mine"), start=1):
            path.write_text(edited)
            [line] = write_books(tmp_path, everybody)
            copy = tmp_path / f"{name}-edited-{number}.csv"
            assert f"was edited by hand and is saved as {copy.name}" in line, edited
            assert copy.read_text() == edited
            assert path.read_bytes() == before, edited

    @pytest.mark.parametrize("name", ["gradebook", "canvas"])
    def test_a_run_that_was_killed_before_it_replaced_a_book_edited_nothing(
        self, tmp_path, name
    ):
        path = tmp_path / f"{name}.csv"
        write_books(tmp_path, entries(SUBMISSION))
        before = path.read_bytes()
        write_books(tmp_path, entries(SUBMISSION, kit="another"))
        path.write_bytes(before)
        assert write_books(tmp_path, entries(SUBMISSION)) == []

    def test_empty_lines_are_of_nobody(self, tmp_path):
        path = tmp_path / "gradebook.csv"
        written(tmp_path, SUBMISSION)
        path.write_text(path.read_text() + "\n\n")
        assert read_gradebook(path) == [(ADA, "s1")]

    @pytest.mark.parametrize(
        "content, line",
        [
            ("sid,name\n1,2\n", "not a gradebook: no column email"),
            ("", "not a gradebook: no column sid"),
            ("x" * 200_000, "larger than field limit"),
        ],
        ids=["no columns", "empty", "huge"],
    )
    def test_what_is_no_gradebook_is_told_in_a_line(self, tmp_path, content, line):
        path = tmp_path / "gradebook.csv"
        path.write_text(content)
        with pytest.raises(Refused, match=line) as error:
            read_gradebook(path)
        assert len(str(error.value)) < 300

    def test_a_submission_that_does_not_count_comes_first(self, tmp_path):
        times = {"s1": "2026-12-02T01:00+00:00", "s2": "2026-12-01T01:00+00:00"}
        attempts = [Submission(id, (ADA,), handed_in=at(t)) for id, t in times.items()]
        written(tmp_path, *attempts)
        owners = read_gradebook(tmp_path / "gradebook.csv")
        assert owners == [(ADA, "s2"), (ADA, "s1")]

    def test_a_gradebook_that_is_not_there_is_told_in_a_line(self, tmp_path):
        with pytest.raises(Refused, match="cannot be read: No such file"):
            read_gradebook(tmp_path / "none.csv")


class TestCanvas:
    def test_it_has_empty_cells_for_what_is_not_final_and_no_doubled_rows(self, tmp_path):
        eve = Student("Eve", "7", "eve@example.edu", "B", "4711")
        first = at("2026-12-01T01:50:00-07:00")
        last = at("2026-12-01T01:10:00-08:00")
        submissions = [
            Submission("s1", (ADA,), handed_in=last),
            Submission("s2", (ADA,), handed_in=first),
            Submission("s3", (eve,)),
            Submission("s4", (Student(),)),
            Submission("s5", (Student("Old", "8"),)),
            Submission("s6", (Student("Una", "6"),)),
        ]
        fields = {
            "s1": {"cents": 100},
            "s3": {"status": Status.NOT_GRADABLE, "cents": 0},
            "s5": {"kit": "old"},
            "s6": {"status": Status.PROVISIONAL},
        }
        absent = [Student("Zoe", "9", "zoe@example.edu")]
        everybody = entries(*submissions, fields=fields, kit="kit", absent=absent)
        write_canvas(tmp_path, everybody, "T")
        assert (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig").splitlines() == [
            "Student,ID,SIS User ID,SIS Login ID,Section,T",
            "Ada,,00123,ada@example.edu,,1",
            "Eve,4711,7,eve@example.edu,B,",
            "Old,,8,,,",
            "Una,,6,,,",
            "Zoe,,9,zoe@example.edu,,",
        ]
        write_gradebook(tmp_path, everybody, PARTS)
        rows = rows_of(tmp_path / "gradebook.csv")
        assert [(row["name"], row["score"], row["counts"]) for row in rows] == [
            ("Ada", "1", "yes"),
            ("Ada", "", "no"),
            ("Eve", "", "yes"),
            ("", "37.34", "yes"),
            ("Old", "", "yes"),
            ("Una", "", "yes"),
            ("Zoe", "", "yes"),
        ]
        assert remarks_on(everybody) == [
            "1 out of date (graded by another kit or file), left out of canvas.csv and of "
            "the mean: grade-all without ONLY brings them up to date",
            "3 more empty cells of canvas.csv: no settled score; overrides.csv "
            "(id, points, note) gives points",
            "1 left out of canvas.csv, name or sid not known: ROSTER=roster.csv tells",
        ]

    def test_a_number_that_is_not_of_canvas_is_left_out(self, tmp_path):
        student = replace(ADA, number="participant 12")
        write_canvas(tmp_path, entries(Submission("s1", (student,))), "T")
        [row] = rows_of(tmp_path / "canvas.csv")
        assert row["ID"] == ""

    # Canvas's own gradebook as the class list, by the headings of its assignments.
    HEADINGS = ["Essay (12)", "t (88002)", "T 2 (5)"]
    NEW = "canvas.csv makes a new assignment: the class list has {} columns called T;"
    MAXIMUM = "canvas.csv: the assignment has 50 points there, and 100 here"

    @pytest.mark.parametrize(
        "headings, possible, heading, points, line",
        [
            (HEADINGS, "100.0", "t (88002)", "100.0", ""),
            (HEADINGS, "50", "t (88002)", "50", MAXIMUM),
            (["Essay (12)"], "100", "T", "100", NEW.format(0)),
            (["T (1)", "T (2)"], "100", "T", "100", NEW.format(2)),
        ],
    )
    def test_the_assignment_of_canvas_is_used(
        self, tmp_path, headings, possible, heading, points, line
    ):
        columns = ["Student", "ID", "SIS Login ID", *headings]
        cells = ["    Points Possible", "", "", *[possible] * len(headings)]
        table = f"{','.join(columns)}\n{','.join(cells)}\nAda,1,ada\n"
        roster = write(tmp_path, {"list.csv": table}) / "list.csv"
        lines = write_canvas(tmp_path, entries(SUBMISSION), "T", LIMIT, roster)
        assert "".join(lines).startswith(line) and len(lines) == bool(line)
        [possible, ada] = rows_of(tmp_path / "canvas.csv")
        assert [possible["Student"], possible[heading]] == ["    Points Possible", points]
        assert [ada["Student"], ada[heading]] == ["Ada", "37.34"]

    def test_the_worksheet_of_moodle_is_filled_in(self, tmp_path):
        table = (
            "Identifier,Full name,Status,Grade,Maximum Grade,Feedback comments\n"
            'Participant 12,Ada,Submitted,5,100.00,"good,\nbut"\n'
            "Participant 13,Bo,-,7,100.00,\n"
            "Participant 14,Zoe,No submission,,100.00,\n"
        )
        roster = write(tmp_path, {"list.csv": table}) / "list.csv"
        names = {12: "Ada", 13: "Bo"}
        students = [Student(names[n], number=f"participant {n}") for n in names]
        submissions = [Submission(f"s{n}", (who,)) for n, who in enumerate(students)]
        fields = {"s1": {"status": Status.NOT_GRADABLE, "cents": 0}}
        everybody = entries(*submissions, fields=fields)
        assert write_moodle(tmp_path, everybody, LIMIT, roster) == []
        rows = rows_of(tmp_path / "moodle.csv")
        assert [row["Grade"] for row in rows] == ["37.34", "", ""]
        assert rows[0]["Feedback comments"] == "good, but"
        [line] = write_moodle(tmp_path, everybody, 5000, roster)
        assert line == "moodle.csv: the assignment has 100.00 points there, and 50 here"

    def test_without_a_worksheet_there_is_no_moodle_csv(self, tmp_path):
        roster = write(tmp_path, {"list.csv": "Name,SID\nAda,1\n"}) / "list.csv"
        assert write_moodle(tmp_path, entries(SUBMISSION), LIMIT, roster) == []
        assert not (tmp_path / "moodle.csv").exists()

    def test_points_by_hand_are_never_out_of_date(self):
        overrides = {(ADA, "s1"): Override(5, "")}
        everybody = entries(SUBMISSION, kit="another", overrides=overrides)
        assert remarks_on(everybody) == []

    @pytest.mark.parametrize("count, more", [(10, ""), (11, ", ...")])
    def test_strangers_are_listed_and_no_more_than_ten(self, count, more):
        student = Student(unlisted="not in the roster")
        submissions = [Submission(f"s{n}", (student,)) for n in range(count)]
        [line] = remarks_on(entries(*submissions))
        listed = ", ".join(f"s{n}" for n in range(10))
        assert line.startswith(f"{count} left out of canvas.csv, guesses or not in")
        assert line.endswith(f" the roster: {listed}{more}")


class TestSeveralSubmissions:
    """Of one student: one counts."""

    @staticmethod
    def reasons(first, last):
        """Return the reason of each of two submissions, and whether it counts."""
        submissions = [
            Submission("s1", (ADA,), handed_in=first),
            Submission("s2", (replace(ADA, name="Ada K."),), handed_in=last),
        ]
        return [(entry.reason, entry.counts) for entry in entries(*submissions)]

    def test_the_latest_counts(self):
        later = at("2026-12-01T01:10:00-08:00")
        earlier = at("2026-12-01T01:50:00-07:00")
        assert self.reasons(later, earlier) == [
            ("counts: the latest of 2", True),
            ("does not count, s1 does: the latest of 2", False),
        ]

    def test_two_students_of_whom_nothing_is_known_are_two(self):
        submissions = [Submission("s1"), Submission("s2")]
        assert all(entry.counts for entry in entries(*submissions))


class TestFeedback:
    def test_partners_have_one_each_unless_the_platform_names_it(self, tmp_path):
        write(tmp_path, {"s1/report.html": "<html>"})
        both = Submission("s1", (ADA, BO))
        write_feedback(tmp_path, entries(both))
        names = ZipFile(tmp_path / "feedback.zip").namelist()
        assert names == ["Ada 00123.html", "Bo.html"]
        write_feedback(tmp_path, entries(replace(both, report="ada_1_2_report")))
        assert ZipFile(tmp_path / "feedback.zip").namelist() == ["ada_1_2_report.html"]

    def test_points_by_hand_are_beside_the_score(self, tmp_path):
        grading = grading_of("def alphabeta(*_):\n    return 1\n", [textbook()])
        write(tmp_path, {"s1/report.html": report_html(grading)})
        both = Submission("s1", (ADA, BO))
        overrides = {(ADA, "s1"): Override(7000, "copied"), (BO, "s1"): Override(None, "x")}
        write_feedback(tmp_path, entries(both, overrides=overrides))
        archive = ZipFile(tmp_path / "feedback.zip")
        ada, bo = [archive.read(name).decode() for name in archive.namelist()]
        score = f"<strong>{points_text(grading.cents)}</strong><span>/"
        assert score in ada
        assert "</span><span>, 70 by hand</span>" in ada
        assert "70" not in bo[bo.index(score) : bo.index("<h1>")]
        assert "copied" not in ada


@pytest.mark.parametrize(
    "scores, remarks",
    [
        ([3734], ["1 of 1 scores equal Gradescope's own"]),
        (
            [3734, 8600, None],
            [
                "1 of 2 scores equal Gradescope's own; the columns graded and Gradescope "
                "of gradebook.csv have both"
            ],
        ),
        ([None, None], []),
    ],
)
def test_scores_are_compared_with_gradescopes_own_in_one_line(scores, remarks):
    submissions = []
    for number, score in enumerate(scores):
        submissions.append(replace(SUBMISSION, id=f"s{number}", score=score))
    assert remarks_on(entries(*submissions)) == remarks


class TestOverrides:
    def test_by_sid_address_or_submission_they_count_and_are_shown(self, tmp_path):
        text = "id,points,note\n00123,90.5,agreed in the office hour\nBO@x.edu,,see mail\n"
        both = Submission("s1", (ADA, Student("Bo", "", "bo@x.edu")))
        overrides, [unknown] = overrides_in(tmp_path, f"\ufeff{text}nobody,1,\n", both)
        rows = written(tmp_path, both, kit="another", overrides=overrides)
        assert [(row["score"], row["graded"], row["note"]) for row in rows] == [
            ("90.5", "37.34", "agreed in the office hour"),
            ("", "37.34", "see mail"),
        ]
        line = f"{tmp_path / 'overrides.csv'}, line 4: nobody: nobody's sid"
        assert unknown.startswith(line)

    @pytest.mark.parametrize(
        "text",
        [
            "id;points;note\r\nADÄ;90,5;agreed\r\n",
            "\n,,\nAda,90.5",
        ],
        ids=["Excel", "empty rows"],
    )
    def test_they_are_found_by_every_name_and_in_excels_form(self, tmp_path, text):
        overrides, unknown = overrides_in(tmp_path, text.encode("latin-1"), SUBMISSION)
        assert overrides[ADA, "s1"].cents == 9050
        assert unknown == []

    @pytest.mark.parametrize("row, cents", [("ada,100,", 10000), ("ada,105,bonus", 10500)])
    def test_all_points_may_be_given_and_more_with_a_note(self, tmp_path, row, cents):
        overrides, _ = overrides_in(tmp_path, f"{row}\n", SUBMISSION)
        assert overrides[ADA, "s1"].cents == cents

    def test_they_are_for_the_absent_too(self, tmp_path):
        overrides = {(BO, ""): Override(500, "excused")}
        row = written(tmp_path, SUBMISSION, absent=[BO], overrides=overrides)[1]
        assert (row["name"], row["score"], row["note"]) == ("Bo", "5", "excused")

    @pytest.mark.parametrize(
        "row, line",
        [
            ("x,many,", "line 2: write an id"),
            (",5,", "line 2: write an id"),
            ("x,-1,", "line 2: write an id"),
            ("x,1e3,", "line 2: write an id"),
            ("id,5,\n,,x", "line 3: write an id"),
            ("ada,100.01,", "line 2: 100.01 points of 100; write 100 or fewer, or a note"),
            ("ada,5,\n00123,7,", "line 3: line 2 is for Ada 00123 too; keep one"),
            ("Twin,5,", "line 2: Twin: 2 have that name; write the sid: Twin 8"),
        ],
    )
    def test_a_wrong_one_is_told_with_its_line(self, tmp_path, row, line):
        twins = [Submission(f"s{sid}", (Student("Twin", sid),)) for sid in "89"]
        with pytest.raises(Refused, match=f"overrides.csv, {line}"):
            overrides_in(tmp_path, f"id,points,note\n{row}\n", SUBMISSION, *twins)


class TestChanges:
    """What another kit gave: who changed, by how much, and why."""

    @staticmethod
    def changes(folder, before, after=None, overrides=None, date="1 May"):
        """Grade Ada and Bo by two kits; return the lines on it, the rows of changes.csv.

        before, after: fields of the outcomes by the kits "old" and "new".
        """
        submissions = [Submission("s1", (ADA, BO)), Submission("s2", (BO,))]
        outcomes = {}
        for submission in submissions:
            outcome = replace(OUTCOME, id=submission.id, source=submission.hash)
            replace(outcome, **{"kit": "old", **before}).save(folder)
            replace(outcome, **{"kit": "new", **(after or {})}).save(folder)
            outcomes[submission.id] = Outcome.load(folder, submission.id)
        everybody = list_entries(Course(tuple(submissions)), outcomes, "new", overrides)
        lines = write_changes(folder, everybody, date)
        rows = rows_of(folder / "changes.csv") if lines else []
        assert write_changes(folder, everybody, date) == []  # reported once
        return lines, rows

    def test_each_student_is_told_with_the_row_that_did_it(self, tmp_path):
        after = {"cents": 3600, "lost": {"r": 9, "ties": 134}}
        [line], rows = self.changes(tmp_path, {}, after)
        assert line == (
            "3 of 3 scores changed with the kit: 3 lower, 0 higher; the mean went from "
            f"37.34 to 36; see {tmp_path / 'changes.csv'}"
        )
        students = [(row["submission"], row["name"]) for row in rows]
        assert students == [("s1", "Bo"), ("s2", "Bo"), ("s1", "Ada")]
        for row in rows:
            change = [row["before"], row["after"], row["change"], row["why"]]
            assert change == ["37.34", "36", "-1.34", "1.34 less in ties"], row

    def test_a_gain_is_more(self, tmp_path):
        [line], rows = self.changes(tmp_path, {}, {"cents": 3743, "lost": {}})
        assert "0 lower, 3 higher; the mean went from 37.34 to 37.43" in line
        assert {(row["change"], row["why"]) for row in rows} == {("0.09", "0.09 more in r")}

    def test_changes_of_every_date_stay_and_the_latest_come_first(self, tmp_path):
        self.changes(tmp_path, {}, {"cents": 3600})
        self.changes(tmp_path, {"kit": "2"}, {"kit": "new", "cents": 1}, date="2 May")
        rows = rows_of(tmp_path / "changes.csv")
        assert [row["date"] for row in rows] == ["2 May"] * 3 + ["1 May"] * 3

    def test_where_no_score_changed_one_line_says_so(self, tmp_path):
        outcome = replace(OUTCOME, kit="new", source=SUBMISSION.hash)
        replace(outcome, kit="old").save(tmp_path)
        outcome.save(tmp_path)
        everybody = list_entries(Course((SUBMISSION,)), {"s1": outcome}, "new")
        [line] = write_changes(tmp_path, everybody, "1 May")
        assert line.endswith("0 higher; the mean went from 37.34 to 37.34")
        assert not (tmp_path / "changes.csv").exists()

    def test_points_by_hand_stand(self, tmp_path):
        overrides = {(ADA, "s1"): Override(9000, "")}
        _, rows = self.changes(tmp_path, {}, {"cents": 3600}, overrides)
        whys = {row["name"]: row["why"] for row in rows}
        assert whys["Bo"] == "other points for the same rows"
        assert whys["Ada"] == "other points for the same rows; 90 by hand stands"

    def test_a_score_that_was_not_known_is_no_loss(self, tmp_path):
        unknown = {"status": Status.COULD_NOT_TELL, "cents": None}
        [line], rows = self.changes(tmp_path, unknown, {"lost": {}})
        assert "0 lower, 0 higher; the mean went from nothing to 37.34" in line
        why = "was could not tell, is graded; 0.09 more in r"
        changes = {(row["before"], row["change"], row["why"]) for row in rows}
        assert changes == {("", "", why)}

    @pytest.mark.parametrize(
        "count, more", [(3, ""), (4, "; and 1 more row"), (5, "; and 2 more rows")]
    )
    def test_the_rows_that_changed_most_are_named(self, tmp_path, count, more):
        lost = {f"r{number}": 10 * (9 - number) for number in range(count)}
        _, rows = self.changes(tmp_path, {"lost": {}}, {"cents": 0, "lost": lost})
        named = "0.9 less in r0; 0.8 less in r1; 0.7 less in r2"
        assert {row["why"] for row in rows} == {named + more}

    @pytest.mark.parametrize(
        "before, after",
        [
            ({"kit": "new"}, {}),
            ({"source": "another"}, {"cents": 0}),
            ({}, {"kit": "that of nobody now", "cents": 0}),
        ],
        ids=["no other kit", "another file", "out of date"],
    )
    def test_what_no_other_kit_graded_or_not_this_file_is_not_compared(
        self, tmp_path, before, after
    ):
        assert self.changes(tmp_path, before, after) == ([], [])
