"""A kit that is not whole says what is missing, and what to do."""

import pytest

from autograder.kit import load_reference
from autograder.tasks import ReferenceFailed


def test_a_kit_without_its_reference_names_it(tmp_path):
    said = r"search\.py cannot be read: .*; restore it$"
    with pytest.raises(ReferenceFailed, match=said):
        load_reference(tmp_path)
