"""A plain gradescope-utils autograder: `python gradescope.py FOLDER SEARCH.PY OUT`."""

import sys
import unittest

from gradescope_utils.autograder_utils.decorators import number, weight
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

from trees import check, load_questions, load_submission


class TestSearches(unittest.TestCase):
    """One test for each tree and function."""


def make_test(module, index, name, function, root, searches):
    """Return a test method that checks a function's searches on one tree."""

    @weight(1)
    @number(str(index))
    def test(self):
        for search in searches:
            check(module, function, root, search)

    test.__doc__ = f"{function} on {name}"
    return test


def main(folder, submission, out):
    """Grade and write results.json."""
    module = load_submission(submission)
    for index, question in enumerate(load_questions(folder)):
        setattr(TestSearches, f"test_{index:03d}", make_test(module, index, *question))
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestSearches)
    with open(out, "w") as stream:
        JSONTestRunner(visibility="visible", stream=stream).run(suite)


if __name__ == "__main__":
    main(*sys.argv[1:])
