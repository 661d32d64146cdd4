"""The page of a class filters and sorts its table of students."""

from types import SimpleNamespace

import pytest

from autograder.course.classpage import class_page
from autograder.course.entries import Entry
from autograder.course.outcome import Outcome, Status
from autograder.course.students import Student, Submission
from pages.engine import PHONE

ROW = SimpleNamespace(function="minimax", name="minimax: ties", max_cents=10_000)
PEOPLE = (  # name, section, cents
    ("Ada", "A", 9000),
    ("Bo", "B", 10000),
    ("Cy", "A", 500),
)


@pytest.fixture
def class_file(tmp_path):
    """Return the address of the page of a class of three students."""
    entries = []
    for number, (name, section, cents) in enumerate(PEOPLE):
        student = Student(name, f"00{number}", section=section)
        outcome = Outcome(Status.GRADED, cents=cents)
        entries.append(Entry(student, Submission(name), outcome=outcome))
    path = tmp_path / "class.html"
    path.write_text(class_page(entries, [ROW], "Game trees"))
    return path.as_uri()


@pytest.fixture
def students_page(page, class_file):
    """Return the open page of the class."""
    page.goto(class_file)
    return page


def visible_names(page):
    """Return the first names of the students in the visible rows."""
    rows = page.locator(".students tbody tr:visible th")
    return [text.split()[0] for text in rows.all_inner_texts()]


def test_a_filter_shows_and_counts_the_rows_that_match(students_page):
    students_page.fill("#filter", "A graded")
    students_page.fill("#filter", "10 b")
    assert visible_names(students_page) == ["Bo"]
    assert students_page.inner_text("#count") == "1 of 3 shown."
    students_page.fill("#filter", "")
    assert visible_names(students_page) == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    "heading, ascending",
    [("score", ["Cy", "Ada", "Bo"]), ("student", ["Ada", "Bo", "Cy"])],
)
def test_a_click_sorts_the_rows_and_a_second_click_reverses_them(
    students_page, heading, ascending
):
    button = students_page.locator(".students thead button", has_text=heading)
    button.click()
    assert visible_names(students_page) == ascending
    button.click()
    assert visible_names(students_page) == ascending[::-1]
    assert button.locator("..").get_attribute("aria-sort") == "descending"


def test_no_column_is_cut_on_a_phone(open_page, class_file):
    page = open_page(viewport=PHONE)
    page.goto(class_file)
    for table in page.locator(".table").all():
        assert table.evaluate("table => table.scrollWidth - table.clientWidth") <= 0
