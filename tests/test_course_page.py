"""The page of a class."""

import re
from html.parser import HTMLParser
from types import SimpleNamespace

from autograder.course.classpage import RENAMED, class_page
from autograder.course.download import Submission
from autograder.course.gradebook import Entry, Override
from autograder.course.outcome import Outcome, Status
from autograder.course.people import Student

VOID = {"meta", "link", "br", "path", "rect", "input"}


ROWS = tuple(
    SimpleNamespace(name=name, most_cents=5000)
    for name in ("minimax: ties", "alphabeta: deep <b>")
)


def page_of(*graded, students=None, rows=ROWS, alike=(), **known):
    """Return the page of a class, with the fields of an outcome or None for each."""
    submissions = [
        Submission(f"s {n}", students or (Student(f"Student {n}", f"000{n}"),))
        for n in range(len(graded))
    ]
    entries = [
        Entry(
            who,
            Outcome(one.id, "k", "s", **(fields or {"status": Status.NOT_YET})),
            one,
            **known,
        )
        for one, fields in zip(submissions, graded)
        for who in one.students
    ]
    return class_page(entries, rows, alike)


def graded(cents, *diagnoses, **fields):
    lost = {"minimax: ties": 10000 - cents} if cents < 10000 else {}
    return {
        "status": Status.GRADED, "cents": cents, "diagnoses": diagnoses, "lost": lost,
        **fields,
    }  # fmt: skip


def group(page, title):
    """Return the words of one group of those who need a person."""
    found = re.search(rf"<summary>{re.escape(title)}: .*?</details>", page, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", found[0]).split()) if found else ""


class Checker(HTMLParser):
    """Checks that tags close in order, and gathers text, links and ids."""

    def __init__(self, html):
        super().__init__()
        self.open, self.links, self.ids, self.words = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[k] for k in ("href", "src") if k in attributes]
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_who_needs_a_person_comes_first_and_the_worst_of_them_first():
    page = page_of(
        graded(10000),
        {"status": Status.NOT_GRADABLE, "cents": 0, "reason": "no search.py"},
        {"status": Status.COULD_NOT_TELL, "reason": "its grader ended"},
    )
    assert re.findall("<h2.*?>(.*?)</h2>", page)[0] == "Needs a person"
    order = ("could not tell: 1", "not gradable: 1", "Concepts", "Mistakes", "Everybody")
    assert sorted(order, key=page.index) == list(order)


def test_misconceptions_are_ordered_by_how_many_have_them():
    page = page_of(*[graded(9000, "Rare")] + [graded(8000, "Common")] * 7)
    lines = [f"<th scope=\"row\">{name}</th><td class=\"number\" data-value=\"{count}\">"
             for name, count in (("Common", 7), ("Rare", 1))]  # fmt: skip
    assert 0 < page.index(lines[0]) < page.index(lines[1])
    assert "<summary>all 7</summary>" in page


def test_links_lead_to_each_submissions_own_file():
    html = page_of(graded(4000, "No cutoff") | {"line": "line 36"})
    assert "s%200/report.html" in Checker(html).links
    assert '<a href="s%200/report.html#line">line 36</a>' in html


def test_the_dearest_lesson_comes_first_with_its_mean_over_those_whose_code_ran():
    stubs = {
        "status": Status.NOT_GRADABLE,
        "cents": 0,
        "lost": {"alphabeta: deep <b>": 5000},
    }
    page = page_of(graded(10000), graded(9900), stubs)
    lessons = page[page.index(">Concepts<") : page.index(">Mistakes<")]
    assert "minimax: ties" in lessons and "0.50 of 50" in lessons and "deep" not in lessons
    assert "1 of 2 (50 %)" in lessons


def test_programs_without_a_diagnosis_are_grouped_by_what_they_do():
    odd = {"behaviour": "x", "sure": False}
    page = page_of(
        graded(5000, **odd),
        graded(4000, behaviour="y"),
        graded(5000, **odd),
        graded(5000, "Known", behaviour="z", sure=True),
    )
    words = group(page, "wrong, and no known mistake explains it")
    assert words.count("group 1 (2 behave alike)") == 2
    assert words.count("group 2 (alone)") == 1 and "Known" not in words


def test_crashes_time_outs_and_zeros_each_have_their_place():
    page = page_of(
        graded(0, ends={"crashed with NameError": 3}, reason="minimax: crashed"),
        graded(0, ends={"ran out of time": 1, "not run": 9}),
        graded(0, ends={"not written yet": 3}),
        graded(0, "Always wrong"),
        graded(9000),
    )
    assert "Student 0 0000 minimax: crashed" in group(page, "crashed")
    assert "Student 1" in group(page, "ran out of time, or never stopped")
    assert "Student 2" in group(page, "functions missing or not written")
    assert "Student 3 0003 Always wrong" in group(page, "0 points, though it ran")
    assert "not given" not in page and "function missing" not in page


def test_out_of_date_scores_are_marked_and_not_in_the_mean():
    page = page_of(graded(10000), {**graded(0), "status": Status.OUT_OF_DATE})
    assert "Mean 100," in page and "1 out of date; the mean leaves out" in page


def test_what_a_ta_gave_by_hand_counts_and_says_so():
    page = page_of(graded(5000), override=Override(9000, "agreed"))
    assert "Mean 90," in page and "by hand: agreed" in page


def test_files_that_are_alike_are_linked():
    html = page_of(graded(100), graded(100), alike=[(RENAMED, ("s 0", "s 1"))])
    words = " ".join(re.sub("<[^>]*>", " ", html).split())
    assert "resemble" in words
    for who in ("Student 0 0000", "Student 1 0001"):
        assert f"{who} group 1: {RENAMED}" in words


def test_what_is_not_settled_needs_a_person_and_is_not_in_the_mean():
    why = "12 of 300 searches were not run: the time was used up"
    html = page_of(
        graded(10000), {**graded(500), "status": Status.NOT_SETTLED, "reason": why}
    )
    assert f"Student 1 0001 {why}" in group(html, "not settled")
    assert "Mean 100," in html and "1 not settled; the mean leaves out" in html


def test_partners_are_not_two_who_behave_alike_and_a_student_is_one():
    both = (Student("Ada", "1"), Student("Bo", "2"))
    html = page_of(graded(5000, behaviour="x"), students=both)
    assert group(html, "wrong, and no known mistake explains it").count("(alone)") == 2
    again = page_of(graded(500, "Why"), graded(900, "Why"), students=both[:1])
    assert "1 student, 1 with a score" in again and "<td>Why</td>" in again


def test_backticks_mark_code():
    html = page_of(graded(900, "Cuts where `alpha > beta`"))
    assert "Cuts where <code>alpha &gt; beta</code>" in html


def test_names_and_reasons_are_shown_and_never_run():
    evil = '<script>alert(1)</script>"&'
    page = page_of(
        {"status": Status.NOT_GRADABLE, "cents": 0, "reason": evil, "diagnoses": (evil,)},
        students=(Student(evil, evil),),
    )
    assert "<script>alert" not in page
    assert evil in Checker(page).words or "&lt;script&gt;alert(1)" in page


def test_the_page_is_whole_and_needs_no_other_file():
    for count in (0, 1, 12):
        checked = Checker(page_of(*[graded(100 * n, "x") for n in range(count)]))
        assert not [link for link in checked.links if "://" in link]
        assert len(set(checked.ids)) == len(checked.ids)


def test_a_class_that_is_not_graded_yet_has_a_page_too():
    assert "2 not graded yet" in page_of(None, None)
