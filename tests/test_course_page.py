"""The page of a class."""

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from autograder.course.classpage import bar, binned, class_page, histogram
from autograder.course.export import Student, Submission
from autograder.course.outcome import (
    COULD_NOT_TELL,
    GRADED,
    NOT_GRADABLE,
    NOT_YET,
    Entry,
    Outcome,
)

VOID = {"meta", "link", "br", "path", "rect"}


ROWS = tuple(
    SimpleNamespace(name=name, most_cents=5000)
    for name in ("minimax: ties", "alphabeta: deep <b>")
)


def page_of(*graded, students=None, rows=ROWS, file="results.json"):
    """Return the page of a class, with the fields of an outcome or None for each."""
    submissions = [
        Submission(f"s {n}", students or (Student(f"Student {n}", f"000{n}"),))
        for n in range(len(graded))
    ]
    entries = [
        Entry(who, Outcome(one.id, "k", "s", **(fields or {"status": NOT_YET})), one)
        for one, fields in zip(submissions, graded)
        for who in one.students
    ]
    return class_page(entries, rows, file)


def graded(cents, *diagnoses):
    lost = {"minimax: ties": 10000 - cents} if cents < 10000 else {}
    return {"status": GRADED, "cents": cents, "diagnoses": diagnoses, "lost": lost}


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


def test_what_could_not_be_graded_comes_first_and_the_worst_of_it_first():
    page = page_of(
        graded(10000),
        {"status": NOT_GRADABLE, "cents": 0, "reason": "no search.py"},
        {"status": COULD_NOT_TELL, "reason": "its grader ended"},
    )
    assert re.findall("<h2>(.*?)</h2>", page)[0] == "Could not be graded"
    order = ("could not tell: 1", "not gradable: 1", "Scores")
    assert sorted(order, key=page.index) == list(order)


def test_misconceptions_are_ordered_by_how_many_have_them():
    page = page_of(*[graded(9000, "Rare")] + [graded(8000, "Common")] * 7)
    assert page.index("7 students</strong> Common") < page.index("1 student</strong> Rare")
    assert "<summary>all 7</summary>" in page


def test_links_lead_to_each_submissions_own_file():
    assert "s%200/results.json" in Checker(page_of(graded(1, "Why"))).links
    assert "s%200/report.html" in Checker(page_of(graded(1), file="report.html")).links


def test_the_line_to_look_at_leads_to_its_place_in_the_report():
    html = page_of(graded(4000, "No cutoff") | {"line": "line 36"}, file="report.html")
    assert '<a href="s%200/report.html#line">line 36</a>' in html


def test_the_dearest_lesson_comes_first_with_its_mean_over_those_whose_code_ran():
    stubs = {"status": NOT_GRADABLE, "cents": 0, "lost": {"alphabeta: deep <b>": 5000}}
    page = page_of(graded(10000), graded(9900), stubs)
    lessons = page[page.index("Points lost per lesson") : page.index("Everybody")]
    assert "minimax: ties" in lessons and "0.50 of 50" in lessons and "deep" not in lessons


def test_two_trees_with_one_lesson_are_one_lesson():
    page = page_of(graded(9850), rows=(ROWS[0], ROWS[0]))
    assert "1.50 of 100" in page and page.count("minimax: ties") == 1


def test_members_of_a_group_count_each():
    both = (Student("Ada", "1"), Student("Bo", "2"))
    assert "2 students, 2 with a score" in page_of(graded(5000), students=both)


def test_names_and_reasons_are_shown_and_never_run():
    evil = '<script>alert(1)</script>"&'
    page = page_of(
        {"status": NOT_GRADABLE, "cents": 0, "reason": evil, "diagnoses": (evil,)},
        students=(Student(evil, evil),),
    )
    assert "<script" not in page
    assert evil in Checker(page).words or "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("count", [0, 1, 12])
def test_the_page_is_whole_and_needs_no_other_file(count):
    checked = Checker(page_of(*[graded(100 * n, "x") for n in range(count)]))
    assert not [link for link in checked.links if "://" in link]
    assert len(set(checked.ids)) == len(checked.ids)


def test_a_class_that_is_not_graded_yet_has_a_page_too():
    assert "2 are not graded yet" in page_of(None, None)


def test_nobody_lost_anything_is_said():
    assert "No points were lost." in page_of(graded(10000))


def test_scores_fall_into_tens_and_full_marks_stand_alone():
    assert binned([0, 9.99, 10, 99.99, 100]) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]


def test_the_histogram_says_its_counts_in_words():
    assert "0–9 per cent: 1, 100 per cent: 2" in histogram([5, 100, 100])


@pytest.mark.parametrize("share, width", [(0, "0.0"), (0.5, "50.0"), (7, "100.0")])
def test_a_bar_is_as_long_as_its_share(share, width):
    assert f'class="part" width="{width}"' in bar(share)
