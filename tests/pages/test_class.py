"""The page of a class in a browser: the table of all students is filtered and sorted."""

import pytest

from autograder.course.classpage import class_page
from autograder.course.gradebook import Entry
from autograder.course.outcome import Outcome, Status
from autograder.course.people import Student, Submission

PEOPLE = (  # name, section, cents, minutes late
    ("Ada", "A", 9000, 0),
    ("Bo", "B", 10000, 125),
    ("Cy", "A", 500, 3),
)


@pytest.fixture
def everybody(page, tmp_path):
    """The page of three students, opened at the table of all students."""
    entries = []
    for number, (name, section, cents, minutes) in enumerate(PEOPLE):
        student = Student(name, f"00{number}", section=section)
        outcome = Outcome(name, "k", "s", Status.GRADED, cents=cents)
        entry = Entry(student, outcome, Submission(name), minutes_late=minutes)
        entries.append(entry)
    path = tmp_path / "class.html"
    path.write_text(class_page(entries, ()), encoding="utf-8")
    page.goto(path.as_uri())
    return page


def names(page):
    rows = page.locator(".students tbody tr:visible th")
    return [text.split()[0] for text in rows.all_inner_texts()]


def test_words_filter_the_lines_and_are_counted(everybody):
    everybody.fill("#filter", "A graded")
    everybody.fill("#filter", "2 h b")
    assert names(everybody) == ["Bo"]
    assert everybody.inner_text("#count") == "1 of 3 shown."
    everybody.fill("#filter", "")
    assert names(everybody) == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    "head, up", [("score", ["Cy", "Ada", "Bo"]), ("late", ["Ada", "Cy", "Bo"])]
)
def test_a_click_sorts_by_number_and_another_turns_it_round(everybody, head, up):
    button = everybody.locator(".students thead button", has_text=head)
    button.click()
    assert names(everybody) == up
    button.click()
    assert names(everybody) == up[::-1]
    assert button.locator("..").get_attribute("aria-sort") == "descending"
