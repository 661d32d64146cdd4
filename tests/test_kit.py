"""A kit that is not whole says what is missing, and what to do."""

import pytest

from autograder.kit import load_reference
from autograder.running.reference import ReferenceFailed


def test_a_kit_without_its_reference_names_it(tmp_path):
    with pytest.raises(
        ReferenceFailed, match=r"search\.py cannot be read: .*; restore it$"
    ):
        load_reference(tmp_path)
