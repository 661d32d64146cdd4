"""Grade a whole course: read an export, grade in parallel, write the books.

Start with `autograder/batch.py`, which calls the other modules.
"""
