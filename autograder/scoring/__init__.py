"""Define tasks, the rubric, concepts and rows, and turn verdicts into points."""
