"""The page of a class, and the groups that need attention."""

import re
from types import SimpleNamespace

import pytest
from helpers import tables
from pagereader import Reader

from autograder.course.classpage import class_page, groups_for_a_person
from autograder.course.gradebook import Entry, Override
from autograder.course.outcome import Outcome, Status
from autograder.course.people import Student
from autograder.course.submissions import Submission

CLASSES = tables("classpages")
ROWS = (
    SimpleNamespace(name="minimax: ties", max_cents=5000),
    SimpleNamespace(name="alphabeta: deep <b>", max_cents=5000),
)


def taken(fields, *names):
    """Return some of the fields, which are removed."""
    return {name: fields.pop(name) for name in names if name in fields}


def entry_of(case):
    """Return the Entry that a case describes, as classpages.yaml says."""
    fields = dict(case)
    number = fields.pop("n")
    usual = {"name": f"Student {number}", "sid": f"000{number}"}
    student = Student(**fields.pop("student", usual))
    own = taken(fields, "reason", "counts", "minutes_late")
    if "override" in fields:
        own["override"] = Override(*fields.pop("override"))
    id = fields.pop("id", f"s {number}")
    submission = Submission(id, score=fields.pop("score", None))
    if "cents" in fields and "status" not in fields:
        fields["status"] = "graded"
        lost = 10000 - fields["cents"]
        fields.setdefault("lost", {"minimax: ties": lost} if lost else {})
    status = Status(fields.pop("status", "not graded yet"))
    outcome = Outcome(id, "k", "s", status, **fields)
    return Entry(student, outcome, submission, **own)


def page_of(cases):
    """Return the page of a class."""
    return class_page(list(map(entry_of, cases)), ROWS)


def words_of(html):
    """Return the words of HTML, without its tags."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def concepts_in(page):
    """Return the cells of the table of concepts, row by row."""
    table = page[page.index(">Concepts<") : page.index(">Mistakes<")]
    rows = re.findall("<tr>(.*?)</tr>", table)[1:]
    return [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_of_a_class(name):
    case = CLASSES[name]
    page = page_of(case["entries"])
    words = words_of(page)
    lead = words_of(re.search('<p class="lead">(.*?)</p>', page)[1])
    assert lead == case.get("lead", lead)
    assert [text for text in case.get("says", ()) if words.count(text) != 1] == [], words
    assert [text for text in case.get("html", ()) if text not in page] == [], page
    assert [text for text in case.get("unsaid", ()) if text in page] == [], page
    concepts = concepts_in(page)
    assert concepts == case.get("concepts", concepts)
    if "groups" in case:
        groups = groups_for_a_person(list(map(entry_of, case["entries"])))
        found = {}
        for title, lines in groups.items():
            found[title] = [[entry.outcome.id, words] for entry, words in lines]
        assert list(found.items()) == list(case["groups"].items())


@pytest.mark.parametrize("count, start", [(6, "<details open>"), (7, "<details>")])
def test_a_long_group_is_folded_away(count, start):
    page = page_of([{"n": number, "cents": 0} for number in range(count)])
    assert f"{start}<summary>0 points, although the code ran: {count}</summary>" in page


def test_they_are_ordered_by_how_many_students_have_them_and_mark_code():
    cases = [{"n": 0, "cents": 9000, "diagnoses": ["Rare `a > b`"]}]
    for number in range(1, 8):
        cases.append({"n": number, "cents": 8000, "diagnoses": ["Common"]})
    page = page_of(cases)
    common = '<th scope="row">Common</th><td>7 students</td>'
    rare = '<th scope="row">Rare <code>a &gt; b</code></th><td>1 student</td>'
    assert 0 < page.index(common) < page.index(rare)
    assert "<details><summary>all 7</summary>" in page


def test_names_and_reasons_are_shown_and_never_run():
    evil = '<script>alert(1)</script>"&'
    case = {
        "n": 1,
        "status": "not gradable",
        "reason": evil,
        "diagnoses": [evil],
        "student": {"name": evil, "sid": evil, "section": evil},
    }
    page = page_of([case])
    assert "<script>alert" not in page
    assert evil in Reader(page).texts


@pytest.mark.parametrize("count", [0, 1, 12])
def test_the_page_is_whole_and_needs_no_other_file(count):
    cases = [{"n": n, "cents": 100 * n, "diagnoses": ["x"]} for n in range(count)]
    page = Reader(page_of(cases))
    assert not [to for to in page.values_of("href", "src") if "://" in to]
    ids = page.values_of("id")
    assert len(set(ids)) == len(ids)
