"""The page of a class, and the groups of those who need a person."""

import re
from types import SimpleNamespace

import pytest
from pagereader import Reader

from autograder.course.classpage import class_page, groups_for_a_person
from autograder.course.gradebook import Entry, Override, count_students
from autograder.course.outcome import Outcome, Status, Stop
from autograder.course.people import Student
from autograder.course.programs import RENAMED, Alike
from autograder.course.submissions import Submission

ROWS = (
    SimpleNamespace(name="minimax: ties", max_cents=5000),
    SimpleNamespace(name="alphabeta: deep <b>", max_cents=5000),
)
NO_MISTAKE = "no known mistake is near"
UNEXPLAINED = "wrong, and no known mistake explains it"
FRUITLESS = "0 points, though it ran"


def entry_of(number, status=Status.NOT_YET, source=None, **fields):
    """Return the Entry of a student of this number, and of a submission "s 1"."""
    own = {}
    for name in ("reason", "counts", "override", "minutes_late"):
        if name in fields:
            own[name] = fields.pop(name)
    student = fields.pop("student", Student(f"Student {number}", f"000{number}"))
    score = fields.pop("score", None)
    outcome = Outcome(f"s {number}", "k", "s", status, **fields)
    submission = Submission(outcome.id, source=source, score=score)
    return Entry(student, outcome, submission, **own)


def graded(number, cents, *diagnoses, **fields):
    """Return the Entry of a program that ran and lost points on ties only."""
    lost = {"minimax: ties": 10000 - cents} if cents < 10000 else {}
    known = {"cents": cents, "diagnoses": diagnoses, "lost": lost, **fields}
    return entry_of(number, Status.GRADED, **known)


def stopped(kind, error=""):
    """Return the stops of a program of which one search ended so."""
    return [Stop("minimax", kind, error, 1)]


def groups(*entries, alike=()):
    """Return title -> pairs of a student's number and what is said, in order."""
    found = {}
    for group in groups_for_a_person(entries, alike):
        found[group.title] = [(e.outcome.id, words) for e, words in group.lines]
    return found


def page_of(*entries, alike=()):
    """Return the page of a class."""
    return class_page(entries, ROWS, alike)


def words_of(html):
    """Return the words of HTML, without its tags."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


class TestNeedsAPerson:
    def test_nobody_does_where_all_is_right(self):
        assert groups(graded(0, 10000)) == {}
        page = page_of(graded(0, 10000))
        assert "Nobody: every submission could be graded and explained." in page

    @pytest.mark.parametrize(
        "stops, title",
        [
            (stopped("raised", "NameError"), "crashed"),
            (stopped("out of queries"), "ran out of time, or never stopped"),
            (stopped("raised", "function missing"), "functions missing or not written"),
            ([], FRUITLESS),
        ],
    )
    def test_a_program_that_did_not_end_well(self, stops, title):
        assert groups(graded(1, 0, stops=stops)) == {title: [("s 1", "nothing is right")]}

    def test_a_program_is_in_the_first_group_that_fits(self):
        stops = stopped("timed out") + stopped("raised", "NameError")
        assert list(groups(graded(1, 0, stops=stops))) == ["crashed"]

    def test_its_reason_is_said_or_its_diagnoses(self):
        assert groups(graded(1, 0, "A", "B"))[FRUITLESS] == [("s 1", "A; B")]
        assert groups(graded(1, 0, "A", reason="why"))[FRUITLESS] == [("s 1", "why")]

    def test_a_student_of_no_row_and_a_submission_that_does_not_count(self):
        stranger = Student("Zed", unlisted="not in the roster")
        first = graded(1, 10000, student=stranger, reason="not in the roster")
        second = graded(2, 10000, counts=False, reason="does not count")
        assert groups(first, second) == {
            "not in the roster": [("s 1", "not in the roster")],
            "another submission of the same student counts": [("s 2", "does not count")],
        }

    def test_programs_that_are_alike(self):
        alike = [Alike(RENAMED, ["s 1", "s 2"])]
        entries = [graded(number, 10000) for number in range(3)]
        said = f"group 1: {RENAMED}"
        found = groups(*entries, alike=alike)
        assert found == {"files that are alike": [("s 1", said), ("s 2", said)]}

    def test_what_is_not_needed_in_a_program_or_in_how_it_ended(self):
        stops = [*stopped("broke the protocol"), *stopped("died"), *stopped("died")]
        entry = graded(1, 10000, stops=stops, source=b"eval('1')")
        ended = "ended the process that ran it, asked for nodes that it was not given"
        title = "worth a look: not needed for the assignment"
        assert groups(entry) == {title: [("s 1", f"eval, {ended}")]}

    def test_wrong_programs_that_nothing_explains_by_equal_behaviour(self):
        entries = [
            graded(1, 4000, behaviour="y"),
            graded(2, 5000, behaviour="x"),
            graded(3, 5000, "Closest to: B", behaviour="x"),
            graded(4, 5000, "Known", behaviour="z", is_explained=True),
            graded(5, 5000, behaviour="y", stops=stopped("died")),
        ]
        assert groups(*entries)[UNEXPLAINED] == [
            ("s 2", f"group 1 (2 behave alike): {NO_MISTAKE}"),
            ("s 3", "group 1 (2 behave alike): Closest to: B"),
            ("s 1", f"group 2 (alone): {NO_MISTAKE}"),
        ]

    def test_partners_are_not_two_who_behave_alike(self):
        entries = [
            graded(1, 5000, behaviour="x", student=Student("Ada", "1")),
            graded(1, 5000, behaviour="x", student=Student("Bo", "2")),
        ]
        line = ("s 1", f"group 1 (alone): {NO_MISTAKE}")
        assert groups(*entries)[UNEXPLAINED] == [line, line]

    def test_the_most_pressing_come_first(self):
        entries = [
            graded(7, 5000, behaviour="x"),
            graded(6, 0),
            graded(5, 0, stops=stopped("raised", "NotImplementedError")),
            graded(4, 0, stops=stopped("timed out")),
            graded(3, 0, stops=stopped("raised", "NameError")),
            entry_of(2, Status.NOT_GRADABLE),
            entry_of(1, Status.PROVISIONAL),
            entry_of(0, Status.COULD_NOT_TELL),
        ]
        alike = [Alike(RENAMED, ["s 6", "s 7"])]
        assert list(groups(*entries, alike=alike)) == [
            "could not tell",
            "not settled",
            "not gradable",
            "crashed",
            "ran out of time, or never stopped",
            "functions missing or not written",
            FRUITLESS,
            "files that are alike",
            UNEXPLAINED,
        ]

    @pytest.mark.parametrize("count, start", [(6, "<details open>"), (7, "<details>")])
    def test_a_long_group_is_folded_away(self, count, start):
        entries = [graded(number, 0) for number in range(count)]
        page = page_of(*entries)
        assert f"{start}<summary>0 points, though it ran: {count}</summary>" in page

    def test_the_page_names_them_with_what_is_said(self):
        entry = entry_of(1, Status.NOT_GRADABLE, reason="no `x.py`")
        page = page_of(entry)
        assert "<code>x.py</code>" in page
        assert "not gradable: 1 student what Student 1 0001 no x.py" in words_of(page)

    def test_the_page_says_of_some_groups_what_they_are(self):
        entries = [graded(number, 10000) for number in range(2)]
        page = page_of(*entries, alike=[Alike(RENAMED, ["s 0", "s 1"])])
        assert "Right minimax programs resemble each other by nature." in page


class TestTheLead:
    @staticmethod
    def lead(*entries):
        """Return the words at the top of the page."""
        page = page_of(*entries)
        return words_of(re.search('<p class="lead">(.*?)</p>', page)[1])

    def test_mean_and_median_are_of_those_with_a_score(self):
        entries = [graded(1, 10000), graded(2, 5000), graded(3, 4500), entry_of(4)]
        assert self.lead(*entries) == (
            "4 students, 3 with a score. Mean 65, median 50 of 100. 1 not graded yet."
        )

    @pytest.mark.parametrize("status", [Status.OUT_OF_DATE, Status.PROVISIONAL])
    def test_what_is_not_final_does_not_count(self, status):
        lead = self.lead(graded(1, 10000), entry_of(2, status, cents=500))
        assert "1 with a score. Mean 100, median 100 of 100" in lead
        assert lead.endswith(f"1 {status.value}.")

    def test_but_what_a_ta_gave_does(self):
        entry = entry_of(2, Status.PROVISIONAL, cents=5, override=Override(9000, "agreed"))
        assert "1 with a score. Mean 90, median 90 of 100" in self.lead(entry)

    def test_a_submission_that_does_not_count_is_of_no_student(self):
        lead = self.lead(graded(1, 10000), graded(2, 0, counts=False))
        assert lead == "1 student, 1 with a score. Mean 100, median 100 of 100."

    def test_students_who_are_not_in_the_roster_are_counted_apart(self):
        stranger = Student("Zed", unlisted="not in the roster")
        entries = [graded(1, 0), graded(2, 0, student=stranger)]
        assert count_students(entries) == "1 student, 1 not in the roster"


class TestTheClass:
    """What the page says of the whole class, once."""

    @pytest.mark.parametrize(
        "fields, said",
        [
            ({"missing_layers": ["uid"]}, ""),
            (
                {"missing_layers": ["uid", "seccomp"]},
                "1 submission graded without seccomp.",
            ),
            (
                {"missing_layers": ["landlock", "seccomp"]},
                "1 submission graded without landlock and seccomp.",
            ),
            ({"score": 9000}, "1 of 1 scores equal"),
            ({"score": 5000}, "0 of 1 scores equal"),
        ],
    )
    def test_a_line_says_what_holds_for_the_class(self, fields, said):
        partners = [graded(1, 9000, student=Student(name), **fields) for name in "AB"]
        page = page_of(*partners)
        words = words_of(page)
        assert words.count(said or "graded without") == bool(said)
        assert ("Something may pass from one grading" in words) == ("graded" in said)


class TestConcepts:
    @staticmethod
    def rows(*entries):
        """Return the cells of the table of concepts, row by row."""
        page = page_of(*entries)
        table = page[page.index(">Concepts<") : page.index(">Mistakes<")]
        rows = re.findall("<tr>(.*?)</tr>", table)[1:]
        return [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]

    def test_a_concept_says_how_many_lost_and_how_much(self):
        rows = self.rows(graded(1, 10000), graded(2, 9900))
        assert rows == [["minimax: ties", "1 of 2 (50 %)", "0.50 of 50"]]

    def test_the_dearest_comes_first(self):
        lost = {"alphabeta: deep <b>": 5000}
        rows = self.rows(graded(1, 9900), graded(2, 5000, lost=lost))
        assert [row[0] for row in rows] == ["alphabeta: deep &lt;b&gt;", "minimax: ties"]

    def test_programs_that_did_not_run_are_left_out(self):
        lost = {"minimax: ties": 5000}
        assert self.rows(entry_of(1, Status.NOT_LOADED, cents=0, lost=lost)) == []


class TestMistakes:
    def test_they_are_ordered_by_how_many_students_have_them_and_mark_code(self):
        entries = [graded(0, 9000, "Rare `a > b`")]
        entries += [graded(number, 8000, "Common") for number in range(1, 8)]
        page = page_of(*entries)
        common = '<th scope="row">Common</th><td class="number" data-value="7">'
        rare = (
            '<th scope="row">Rare <code>a &gt; b</code></th>'
            '<td class="number" data-value="1">'
        )
        assert 0 < page.index(common) < page.index(rare)
        assert "<details><summary>all 7</summary>" in page


class TestEverybody:
    def test_links_lead_to_each_submissions_own_file_and_line(self):
        page = page_of(graded(0, 4000, lines=[36]))
        assert ("a", "href", "s%200/report.html") in Reader(page).attributes
        assert '<a href="s%200/report.html#line">line 36</a>' in page

    def test_what_is_not_graded_has_no_link(self):
        assert "<a " not in page_of(entry_of(1))
        absent = Entry(Student("Zoe"), Outcome("", "", "", Status.NO_SUBMISSION))
        assert "<a " not in page_of(absent)

    def test_diagnoses_reason_and_note_are_said_together(self):
        entry = graded(1, 5000, "A", "B", reason="why", override=Override(None, "agreed"))
        assert "A; B; why; by hand: agreed" in page_of(entry)

    def test_columns_without_content_are_left_out(self):
        columns = re.findall('scope="col">(.*?)<', page_of(entry_of(1)))
        assert columns[-2:] == ["student", "status"]

    def test_lateness_is_sorted_by_the_minutes(self):
        page = page_of(graded(1, 5000, minutes_late=61), graded(2, 5000))
        assert '<td class="number" data-value="61">1 h 1 min</td>' in page
        assert '<td class="number" data-value="0"></td>' in page

    def test_points_are_sorted_by_the_score_that_counts(self):
        page = page_of(graded(1, 5000, override=Override(9050, "")))
        assert '<td class="number" data-value="9050">90.5</td>' in page


def test_names_and_reasons_are_shown_and_never_run():
    evil = '<script>alert(1)</script>"&'
    entry = entry_of(
        1,
        Status.NOT_GRADABLE,
        cents=0,
        reason=evil,
        diagnoses=(evil,),
        student=Student(evil, evil, section=evil),
    )
    page = page_of(entry)
    assert "<script>alert" not in page
    assert evil in Reader(page).texts


@pytest.mark.parametrize("count", [0, 1, 12])
def test_the_page_is_whole_and_needs_no_other_file(count):
    entries = [graded(number, 100 * number, "x") for number in range(count)]
    page = Reader(page_of(*entries))
    assert not [to for to in page.values_of("href", "src") if "://" in to]
    ids = page.values_of("id")
    assert len(set(ids)) == len(ids)


def test_the_sections_of_the_page_are_in_this_order():
    heads = re.findall("<h2.*?>(.*?)</h2>", page_of())
    assert heads == ["Needs a person", "Concepts", "Mistakes", "Everybody"]
