"""An outcome, two students, and the rows of a table: for the tests of a course's books."""

import csv

from autograder.course.export import Student
from autograder.course.outcome import GRADED, Outcome

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}
OUTCOME = Outcome(
    "s1", "kit", "source", GRADED, "", ("Cuts strictly",), 3734, PARTS, {"r": 9}, 0.5
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")


def rows_of(path):
    """Return the rows of a .csv file, as dictionaries."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
