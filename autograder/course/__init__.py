"""Grade a whole course: read an export, grade in parallel, keep the books.

Start at `autograder/batch.py`, which puts the pieces together.
"""
