"""Check the page of a class, and the groups of submissions that need attention."""

import re
from types import SimpleNamespace

import pytest
from helpers import check_words, tables
from pagereader import Reader

from autograder.course.classpage import class_page, findings_of, groups_for_a_person
from autograder.course.entries import ByHand, Entry
from autograder.course.outcome import Outcome, Status
from autograder.course.students import Student, Submission

CLASSES = tables("classpages")
ROWS = (
    SimpleNamespace(function="minimax", name="minimax: ties", max_cents=5000),
    SimpleNamespace(function="alphabeta", name="alphabeta: deep <b>", max_cents=5000),
)


def entry_of(case):
    """Return the Entry that a row of classpages.yaml describes."""
    fields = dict(case)
    number = fields.pop("n")
    default = {"name": f"Student {number}", "sid": f"000{number}"}
    student = Student(**{**default, **fields.pop("student", {})})
    match = fields.pop("match", {})
    by_hand = ByHand(**fields.pop("by_hand", {}))
    id = fields.pop("id", f"s {number}")
    usual = "graded" if "cents" in fields else "not graded yet"
    status = Status(fields.pop("status", usual))
    outcome = Outcome(status, **fields)
    submission = Submission(id)
    return Entry(student, submission, outcome=outcome, by_hand=by_hand, **match)


def words_of(html):
    """Return the words of HTML without its tags."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def table_in(page, heading):
    """Return the rows of the tables below a heading, each as a list of cells."""
    section = page[page.index(f">{heading}</h2>") :].partition("<h2")[0]
    rows = [row for row in re.findall("<tr>(.*?)</tr>", section) if "<td>" in row]
    return [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_of_a_class_is_as_classpages_yaml_says(name):
    case = CLASSES[name]
    entries = list(map(entry_of, case["entries"]))
    page = class_page(entries, ROWS, "Trees & games")
    Reader(page)  # checks its form
    words = words_of(page)
    lead = words_of(re.search('<p class="lead">(.*?)</p>', page)[1])
    assert lead == case.get("lead", lead)
    assert [text for text in case.get("says", ()) if words.count(text) != 1] == [], words
    check_words(page, case.get("html", ()), case.get("omits", ()))
    for heading in ("Concepts", "Mistakes"):
        rows = table_in(page, heading)
        assert rows == case.get(heading, rows)
    if "groups" in case:
        found = {}
        for name, members in groups_for_a_person(entries).items():
            found[name] = [[entry.submission.id, findings_of(entry)] for entry in members]
        assert list(found.items()) == list(case["groups"].items())
