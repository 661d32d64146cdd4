"""Grade one submission: the steps, the record of the result, and the hints."""

from autograder.grading.record import Grading
from autograder.grading.steps import grade, grade_path, refuse, sheet_in, with_by_hand

__all__ = ["Grading", "grade", "grade_path", "refuse", "sheet_in", "with_by_hand"]
