"""The same searches under plain pytest; BENCH_FOLDER and BENCH_SEARCH say which."""

import os

import pytest

from trees import check, load_questions, load_submission

MODULE = load_submission(os.environ["BENCH_SEARCH"])
QUESTIONS = list(load_questions(os.environ["BENCH_FOLDER"]))


@pytest.mark.parametrize(
    "function, root, searches",
    [question[1:] for question in QUESTIONS],
    ids=[f"{name}-{function}" for name, function, *_ in QUESTIONS],
)
def test_searches(function, root, searches):
    """Check a function's searches on one tree."""
    for search in searches:
        check(MODULE, function, root, search)
