"""Grade one submission: the steps, the record of the result, and the hints."""

from autograder.grading.record import Grading
from autograder.grading.steps import grade, refuse

__all__ = ["Grading", "grade", "refuse"]
